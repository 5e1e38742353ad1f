package com.example;

import dev.weir.Stores;
import dev.weir.TokenLimiter;
import dev.weir.store.LimitStore;

/** A limit that all nodes share. Without Redis, each of two nodes grants a half of it. */
public final class SharedMails implements AutoCloseable {

  private final LimitStore store;
  private final TokenLimiter mails;

  public SharedMails(String redisUri) {
    store = Stores.redis(redisUri, "shop").nodes(2).open();
    mails = TokenLimiter.of("mails", "6 per minute", store);
  }

  public boolean maySend(String user) {
    return mails.tryAcquire(user).allowed();
  }

  /** Closes the store. The limiter itself has nothing to close. */
  @Override
  public void close() {
    store.close();
  }
}

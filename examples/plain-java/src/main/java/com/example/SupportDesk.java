package com.example;

import dev.weir.TokenLimiter;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;

/** Changes the counter of a user, on all nodes. */
public final class SupportDesk {

  private final TokenLimiter mails;

  public SupportDesk(LimitStore store) {
    mails = TokenLimiter.of("mails", "6 per minute", store);
  }

  /** Forgets what was consumed, and a block. */
  public void forgive(String user) throws StoreUnavailableException {
    mails.reset(user);
  }

  /** Refunds permits, but no more than the user has consumed. */
  public void compensate(String user, long permits) throws StoreUnavailableException {
    mails.reward(user, permits);
  }

  /** Denies everything of this limit for a time from now. */
  public void lockOut(String user, Duration time) throws StoreUnavailableException {
    mails.block(user, time);
  }

  /** Lifts a block, and nothing else: the user has left what there was without it. */
  public void readmit(String user) throws StoreUnavailableException {
    mails.unblock(user);
  }
}

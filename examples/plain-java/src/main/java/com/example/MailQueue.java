package com.example;

import dev.weir.LeakyLimiter;
import dev.weir.TaskShaper;
import dev.weir.store.LimitStore;
import java.util.List;

/** Sends mails one by one, two a second over all nodes. */
public final class MailQueue {

  private final TaskShaper mailer;

  public MailQueue(LimitStore store) {
    mailer = TaskShaper.of(LeakyLimiter.of("mailer", "2 per second leaky", store), 100);
  }

  public void start() {
    mailer.start();
  }

  /** Returns false when a hundred mails of this node are queued already. */
  public boolean send(Runnable mail) {
    return mailer.offer(mail);
  }

  /** Returns the mails that were not sent. */
  public List<Runnable> stop() {
    return mailer.stop();
  }
}

package com.example;

import dev.weir.Stores;
import dev.weir.TokenLimiter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import java.time.Duration;

/** Limits mails: in this process, or on all nodes if the argument is the URI of a Redis. */
public final class MailLimit {

  private MailLimit() {}

  public static void main(String[] args) {
    if (args.length == 0) {
      send(TokenLimiter.of("mails", "5 per minute"));
      return;
    }
    try (LimitStore store = Stores.redis(args[0], "shop").nodes(2).open()) {
      send(TokenLimiter.of("mails", "5 per minute", store));
    }
  }

  private static void send(TokenLimiter mails) {
    for (int mail = 1; mail <= 6; mail++) {
      Decision decision = mails.tryAcquire("user-42");
      if (decision.allowed()) {
        System.out.println("mail " + mail + " sent, by " + decision.source());
      } else {
        Duration wait = decision.retryAfter().orElse(Duration.ZERO);
        System.out.println(
            "mail " + mail + " denied, again in " + wait.plusMillis(999).toSeconds() + " s");
        return;
      }
    }
  }
}

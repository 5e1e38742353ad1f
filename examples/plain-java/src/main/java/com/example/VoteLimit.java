package com.example;

import dev.weir.TokenLimiter;
import dev.weir.store.Decision;

/** Six votes of one user, of which the limit allows five. */
public final class VoteLimit {

  private VoteLimit() {}

  public static void main(String[] args) {
    TokenLimiter votes = TokenLimiter.of("votes", "5 per minute");
    for (int vote = 1; vote <= 6; vote++) {
      Decision decision = votes.tryAcquire("user-42");
      System.out.println(
          decision.allowed()
              ? "voted, " + decision.remaining().orElseThrow() + " left"
              : "again in " + decision.retryAfter().orElseThrow());
    }
  }
}

package com.example;

import dev.weir.LimitExceededException;
import dev.weir.TokenLimiter;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Acquires a permit now, within a time, for as long as it takes, or with an exception. */
public final class WaysToAcquire {

  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

  private WaysToAcquire() {}

  public static void main(String[] args) throws InterruptedException {
    TokenLimiter calls = TokenLimiter.of("calls", "2 per second, burst 1");
    System.out.println("now: " + calls.tryAcquire("user-42").allowed());
    System.out.println("soon: " + calls.tryAcquire("user-42", TWO_SECONDS).allowed());
    System.out.println("at last: " + calls.acquire("user-42").allowed());
    try {
      calls.acquireOrThrow("user-42");
    } catch (LimitExceededException denied) {
      System.out.println(denied.getMessage());
    }
    CompletableFuture<Decision> turn = calls.tryAcquireAsync("user-42", TWO_SECONDS);
    System.out.println("later: " + turn.thenApply(Decision::allowed).join());
  }
}

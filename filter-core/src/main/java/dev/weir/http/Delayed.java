package dev.weir.http;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * The outcome of a request that waits for permits, without a thread. It is passed on or rejected
 * once that is decided. If it leaves the queue before, its charges are refunded as {@link #leave}
 * describes. Thread-safe.
 */
public final class Delayed implements Outcome {

  private final Future<?> place;
  private final CompletableFuture<Outcome> later;
  private final Duration longest;
  private final Rejected otherwise;

  /**
   * @param place cancelled when the request leaves the queue
   * @param later completes when the place does
   */
  Delayed(Future<?> place, CompletableFuture<Outcome> later, Duration longest, Rejected otherwise) {
    this.place = Objects.requireNonNull(place, "place");
    this.later = Objects.requireNonNull(later, "later");
    this.longest = Objects.requireNonNull(longest, "longest");
    this.otherwise = Objects.requireNonNull(otherwise, "otherwise");
  }

  /** Returns no fields, because nothing is decided yet. */
  @Override
  public List<Field> fields() {
    return List.of();
  }

  /** Returns false, because the request waits. */
  @Override
  public boolean goesOn() {
    return false;
  }

  /**
   * Returns the final outcome of the request, which is never another of these. It completes on a
   * thread that other requests wait for, so dependent actions must not block. It fails when the
   * client has {@linkplain #leave left}, and when the container has ended the request during its
   * wait. What was charged is refunded then. Nothing else that a client does makes it fail, and no
   * outage does.
   */
  public CompletionStage<Outcome> later() {
    return later.minimalCompletionStage();
  }

  /** Returns the longest time until the outcome, including the store's own time. */
  public Duration longest() {
    return longest;
  }

  /**
   * Leaves the queue, because the client has gone or cannot be answered later. Its permits are
   * refunded, unless a later request was already granted permits behind it. Has no effect once
   * there is an outcome.
   */
  public void leave() {
    place.cancel(true);
  }

  /** Returns the rejection for a failure of the waiting itself. */
  public Rejected otherwise() {
    return otherwise;
  }
}

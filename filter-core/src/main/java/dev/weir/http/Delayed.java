package dev.weir.http;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * The request waits for permits, without a thread: it is passed on, or refused, once that is
 * decided. Nothing was charged that is not given back to whoever leaves before. Thread-safe.
 */
public final class Delayed implements Outcome {

  private final Future<?> place;
  private final CompletableFuture<Outcome> later;
  private final Duration longest;
  private final Rejected otherwise;

  /**
   * @param place cancelled by whoever leaves
   * @param later completes when the place does
   */
  Delayed(Future<?> place, CompletableFuture<Outcome> later, Duration longest, Rejected otherwise) {
    this.place = Objects.requireNonNull(place, "place");
    this.later = Objects.requireNonNull(later, "later");
    this.longest = Objects.requireNonNull(longest, "longest");
    this.otherwise = Objects.requireNonNull(otherwise, "otherwise");
  }

  /** There is nothing to say yet. */
  @Override
  public List<Field> fields() {
    return List.of();
  }

  /**
   * What becomes of the request; never another of these. It completes on a thread that others wait
   * for: what is done there must not block. It fails when the client has {@linkplain #leave left},
   * and for nothing that a client or an outage does.
   */
  public CompletionStage<Outcome> later() {
    return later.minimalCompletionStage();
  }

  /** How long it takes at most, the store's own time included. */
  public Duration longest() {
    return longest;
  }

  /**
   * The client has gone, or cannot be answered later: what was granted for it is given back, if
   * nobody was let in behind it. Does nothing once there is an outcome.
   */
  public void leave() {
    place.cancel(true);
  }

  /** What to answer when something has gone wrong with the waiting itself. */
  public Rejected otherwise() {
    return otherwise;
  }
}

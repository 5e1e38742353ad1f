package dev.weir;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A decision, and what it holds: until it is closed, the permits of concurrency limits are this
 * one's, over all nodes. What else was charged stays spent.
 *
 * <pre>{@code
 * try (Hold hold = exports.acquire(user)) {
 *   if (hold.isHeld()) {
 *     export();
 *   } else {
 *     sayWhen(hold.decision().retryAfter());
 *   }
 * }
 * }</pre>
 *
 * <p>It may be closed on any thread, as when a response completes that another one has begun.
 * Thread-safe.
 */
public final class Hold implements AutoCloseable {

  private final Decision decision;
  private final Optional<Lease> lease;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile Runnable afterwards = () -> {};

  Hold(Decision decision, Optional<Lease> lease) {
    this.decision = decision;
    this.lease = lease;
  }

  /** A decision that holds nothing. */
  static Hold of(Decision decision) {
    return new Hold(decision, Optional.empty());
  }

  /** To be done once the permits have been returned; nothing else was to be. */
  void whenClosed(Runnable task) {
    afterwards = task;
  }

  /** What was decided. */
  public Decision decision() {
    return decision;
  }

  /**
   * Whether the request was allowed, is not closed, and still holds its permits. It does not any
   * more when its lease could not be renewed in time, be it for an outage or because the process
   * stood still, or when somebody has reset the counter: others may be granted the same permits
   * then.
   */
  public boolean isHeld() {
    return decision.allowed() && !closed.get() && lease.map(Lease::isHeld).orElse(true);
  }

  /** Whether there is anything to return: permits of a concurrency limit were granted. */
  public boolean isKept() {
    return lease.isPresent();
  }

  /**
   * Returns the permits, by the deadline at the latest. Where the store does not answer by then, it
   * is tried again in the background until the lease ends by itself. To close twice is to close
   * once; to close what holds nothing does nothing.
   */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      lease.ifPresent(Lease::release);
      afterwards.run();
    }
  }
}

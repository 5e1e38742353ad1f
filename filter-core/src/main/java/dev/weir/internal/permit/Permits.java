package dev.weir.internal.permit;

import dev.weir.store.Decision;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A decision, and the permits of concurrency limits that it holds, over all nodes, until it is
 * closed. Permits of other limits stay spent. May be closed on any thread. Thread-safe.
 */
public final class Permits implements AutoCloseable {

  private final Decision decision;
  private final Optional<HeldPermits> held;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile Runnable afterwards = () -> {};

  Permits(Decision decision, Optional<HeldPermits> held) {
    this.decision = decision;
    this.held = held;
  }

  /** Returns a decision that holds nothing. */
  public static Permits of(Decision decision) {
    return new Permits(decision, Optional.empty());
  }

  /** Registers the only task to run after the permits have been returned. */
  public void whenClosed(Runnable task) {
    afterwards = task;
  }

  public Decision decision() {
    return decision;
  }

  /** Returns whether the request was allowed, is not closed, and has not lost its permits. */
  public boolean isHeld() {
    return decision.allowed() && !closed.get() && held.map(HeldPermits::isHeld).orElse(true);
  }

  /** Returns whether no permits were granted that have to be returned. */
  public boolean isEmpty() {
    return held.isEmpty();
  }

  /** Returns the permits: by the deadline, or else later in the background. Idempotent. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    held.ifPresent(HeldPermits::release);
    afterwards.run();
  }
}

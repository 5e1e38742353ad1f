package dev.weir;

import dev.weir.internal.permit.Permits;
import dev.weir.store.Decision;

/**
 * A decision, and the permits that it holds, over all nodes, until it is closed. Thread-safe. It
 * may be closed on any thread, for instance when a response completes on another thread.
 *
 * <pre>{@code
 * ConcurrencyLimiter exports = ConcurrencyLimiter.of("exports", "4 concurrent", store);
 * try (ConcurrencyPermits permits = exports.tryAcquire("user-42")) {
 *   if (permits.isHeld()) {
 *     System.out.println("exporting");
 *   } else {
 *     System.out.println("again in " + permits.decision().retryAfter().orElseThrow());
 *   }
 * }
 * }</pre>
 */
public final class ConcurrencyPermits implements AutoCloseable {

  private final Permits permits;

  ConcurrencyPermits(Permits permits) {
    this.permits = permits;
  }

  /** Returns what was decided. */
  public Decision decision() {
    return permits.decision();
  }

  /**
   * Returns whether the request was allowed, is not closed, and still holds its permits. It has
   * lost them when they could not be renewed in time, because of an outage or a suspended process,
   * or when the counter was reset. Others may be granted the same permits then.
   */
  public boolean isHeld() {
    return permits.isHeld();
  }

  /**
   * Returns the permits, by the deadline at the latest. If the store does not answer by then, it is
   * tried again in the background until the permits expire. Idempotent.
   */
  @Override
  public void close() {
    permits.close();
  }
}

package dev.weir.http;

import dev.weir.store.LimitStore.Ticker;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The ticket of an admitted request, until the request leaves. If nothing refers to the ticket any
 * more, the request has left. Thread-safe.
 */
final class Ticket {

  private static final int SERVER_ERROR = 500;

  private final OverloadGate.Place place;
  private final Optional<String> share;
  private final Ticker ticker;
  private final boolean isExtra;
  private volatile long startNanos;
  private volatile boolean hasLeft;

  /**
   * @param isExtra whether the node would shed the request, if it did not only observe
   */
  Ticket(OverloadGate gate, Optional<String> share, Ticker ticker, boolean isExtra) {
    this.share = share;
    this.ticker = ticker;
    this.isExtra = isExtra;
    this.startNanos = ticker.nanoTime();
    this.place = gate.place(this);
  }

  /**
   * Starts the measurement: the request goes on to the application now. Earlier time is not the
   * application's latency.
   */
  void begin() {
    startNanos = ticker.nanoTime();
  }

  /**
   * Ends the measurement and leaves, because the application has finished. The latency of a failed
   * response, or of one whose status is unknown, is not measured.
   */
  void ended(OptionalInt status) {
    boolean wasIn = !hasLeft;
    leave();
    if (wasIn && status.isPresent() && status.getAsInt() < SERVER_ERROR) {
      place.took(startNanos, ticker.nanoTime() - startNanos);
    }
  }

  /** Leaves without a measurement. The request has not reached the application. */
  void leave() {
    hasLeft = true;
    place.leave();
  }

  /** Returns the rule with the share that the request may use. */
  Optional<String> share() {
    return share;
  }

  /** Returns whether the node would shed the request, if it did not only observe. */
  boolean isExtra() {
    return isExtra;
  }

  boolean hasLeft() {
    return hasLeft;
  }
}

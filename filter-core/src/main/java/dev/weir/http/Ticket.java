package dev.weir.http;

import dev.weir.Ticker;
import java.util.Optional;

/**
 * A request that was let in, until it leaves. When nobody refers to it any more, it has left.
 * Thread-safe.
 */
final class Ticket implements Afterwards {

  private static final int SERVER_ERROR = 500;

  private final OverloadGate.Place place;
  private final Ticker ticker;
  private volatile long startNanos;
  private volatile boolean hasLeft;

  Ticket(OverloadGate gate, Optional<String> share, Ticker ticker) {
    this.ticker = ticker;
    this.startNanos = ticker.nanoTime();
    this.place = OverloadGate.Place.of(gate, this, share);
  }

  /** It goes on to the application now: what it took until here is no fault of that. */
  void starts() {
    startNanos = ticker.nanoTime();
  }

  /** The application has done with it. How long it takes to fail is no measure of its serving. */
  @Override
  public void ended(Ended response) {
    boolean wasIn = !hasLeft;
    leave();
    if (wasIn && response.status().isPresent() && response.status().getAsInt() < SERVER_ERROR) {
      place.took(startNanos, ticker.nanoTime() - startNanos);
    }
  }

  /** It has not come to the application: what it took tells nothing. */
  void leave() {
    hasLeft = true;
    place.leave();
  }

  boolean hasLeft() {
    return hasLeft;
  }
}

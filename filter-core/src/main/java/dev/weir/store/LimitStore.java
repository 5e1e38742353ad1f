package dev.weir.store;

import dev.weir.store.Decision.Receipt;
import java.util.Optional;
import java.util.Set;

/**
 * A place where counters are kept and decisions are made. Stores decorate stores: a store that
 * shares, remembers or falls back wraps another store.
 *
 * <p>Implementations are thread-safe.
 */
public interface LimitStore extends AutoCloseable {

  /**
   * Decides in the request's {@link AcquireRequest#mode}, by {@link AcquireRequest#deadline()} at
   * the latest. It may block until then for the store's sake, but never for permits. A store that
   * blocks {@linkplain AcquireRequest#begun begins} the deadline first.
   *
   * @throws StoreUnavailableException when no decision was made in time; whether something was
   *     charged is then unknown
   */
  Decision decide(AcquireRequest request) throws StoreUnavailableException;

  /**
   * Makes a change by the deadline at the latest. A store that has to wait begins the deadline, as
   * in {@link #decide}.
   *
   * @return the grants that a {@link Adjustment.Renew} has not renewed because they had ended;
   *     empty for every other change. A store may make a refund, a release or a commit later, in
   *     the background
   * @throws StoreUnavailableException when it could not be made in time, or it is unknown whether
   *     it was; it is not tried again then
   */
  Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException;

  /** Returns how this store lends permits to nodes; empty if it lends none. */
  default Optional<Lending> lending() {
    return Optional.empty();
  }

  /**
   * Returns whether all of this store is believed to respond; false while any part is known to be
   * out.
   */
  default boolean isHealthy() {
    return true;
  }

  /**
   * Completes every decision under way, then leaves no thread and no connection behind. Idempotent.
   * A closed store throws {@link StoreUnavailableException} for every further decision.
   */
  @Override
  void close();

  /**
   * A store that decides what another store could not decide. Its clock runs from the start. It is
   * stopped while this store is suspended, so that a flapping store cannot be used to refill it.
   */
  interface Fallback extends LimitStore {

    /** Starts this store's clock, unless it runs: this store decides. */
    void resume();

    /** Stops this store's clock: the other store decides again. */
    void suspend();
  }

  /** A source of time of which only differences are used, as of {@link System#nanoTime}. */
  @FunctionalInterface
  interface Ticker {

    /** Returns nanoseconds since an arbitrary origin; never decreasing. */
    long nanoTime();

    /** Returns the system's ticker. */
    static Ticker system() {
      return System::nanoTime;
    }
  }
}

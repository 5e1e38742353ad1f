package dev.weir.store;

import dev.weir.internal.Expect;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.Objects;
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
   * Closes this store, and leaves no thread and no connection behind. Idempotent. A decision under
   * way is made or fails, and does not wait on. {@link dev.weir.redis.RedisLimitStore#close} has
   * how long that takes with Redis.
   *
   * <p>A closed store throws {@link StoreUnavailableException} for every further decision and
   * change. Limiters do not throw it when they acquire or peek, because the outage policy decides:
   * {@link OnOutage#ALLOW} allows, the others deny with the source {@link Source#FAIL_CLOSED}.
   *
   * <p>Close it after its last use. A reservation that ends later counts as spent. Permits that are
   * held return when their time to live is over. A request that waits for one bucket has its
   * permits already, and its wait ends as usual. Any other waiting request is decided by the outage
   * policy at its next call.
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

  /**
   * Lends permits of one counter to a node for a short time, to be spent in process. A {@link
   * LimitStore} that shares counters may {@linkplain LimitStore#lending offer} it. Limiters never
   * use it. Implementations are thread-safe.
   */
  interface Lending {

    /**
     * How a node settles its previous lease: how many permits the store believes to be out on the
     * node's behalf, and what became of them. Permits that are neither kept nor returned were
     * spent. Immutable.
     *
     * @param name the store's name of the previous lease; 0 for none
     * @param out permits that the store believes to be out
     * @param kept permits that go into the next lease
     * @param back permits that were not spent and will not be
     */
    record Settlement(long name, long out, long kept, long back) {

      /** The settlement without a previous lease. */
      public static final Settlement NONE = new Settlement(0, 0, 0, 0);

      /**
       * @throws IllegalArgumentException when one of them is negative, or more is kept and returned
       *     than was out
       */
      public Settlement {
        Expect.notNegative("name", name);
        Expect.notNegative("kept", kept);
        Expect.notNegative("back", back);
        if (out < kept || out - kept < back) {
          throw Expect.failure(
              "out", out, "at least " + kept + " kept and " + back + " given back");
        }
      }
    }

    /**
     * Permits that are lent. Immutable.
     *
     * @param verdict the state of the counter alongside what is lent; it fits when anything is lent
     * @param permits how many are newly lent; 0 when none are available
     * @param carried whether the permits that were kept of the previous lease are lent on; if not,
     *     that lease had ended, and they are lost
     * @param name identifies the lease when it is settled
     * @param stamp the stamp of {@link Receipt.Grant grants} that are made out of it
     * @param length how long it may be spent, as of the instant of the decision
     */
    record Lease(
        Verdict verdict, long permits, boolean carried, long name, long stamp, Duration length) {

      public Lease {
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(length, "length");
      }
    }

    /**
     * The end of a node's lease. Immutable.
     *
     * @param settled how the lease is settled; nothing is kept
     */
    record Ending(Counter counter, Settlement settled) {

      /**
       * @throws IllegalArgumentException when something is kept
       */
      public Ending {
        Objects.requireNonNull(counter, "counter");
        if (settled.kept() != 0) {
          throw Expect.failure("kept", settled.kept(), "0, where a lease ends");
        }
      }
    }

    /**
     * Settles the previous lease of a counter, and lends as many permits as are available, up to
     * those of the charge.
     *
     * @throws StoreUnavailableException when there was no reply in time; whether something was lent
     *     is then unknown
     */
    Lease lend(Charge most, Settlement settled, Deadline deadline) throws StoreUnavailableException;

    /**
     * Ends a lease. What was not spent of it is refunded if the lease has not expired in the store;
     * otherwise it is lost already. It must not be made twice.
     *
     * @throws StoreUnavailableException when it is unknown whether the lease has ended
     */
    void end(Ending ending, Deadline deadline) throws StoreUnavailableException;
  }
}

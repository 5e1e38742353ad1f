package dev.weir.store;

import dev.weir.internal.Expect;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.Objects;

/**
 * Lends permits of one counter to a node for a short time, to be spent in process. A {@link
 * LimitStore} that shares counters may {@linkplain LimitStore#lending offer} it. Limiters never use
 * it. Implementations are thread-safe.
 */
public interface Lending {

  /**
   * How a node settles its previous lease: how many permits the store believes to be out on the
   * node's behalf, and what became of them. Permits that are neither kept nor returned were spent.
   * Immutable.
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
        throw Expect.failure("out", out, "at least " + kept + " kept and " + back + " given back");
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

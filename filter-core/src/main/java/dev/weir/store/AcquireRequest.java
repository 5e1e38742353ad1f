package dev.weir.store;

import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import dev.weir.limit.SlidingWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Asks a store for permits of one or several counters. All charges are made, or none is, unless the
 * mode says otherwise. Immutable.
 *
 * <p>Charges to one counter are summed, so a store sees each counter once.
 *
 * @param charges at least one; for {@link Mode.UpTo}, {@link Mode.Within} and {@link Mode.OrBlock},
 *     one, of at least one permit
 * @param onOutage what applies when the shared store cannot decide
 * @param deadline when the decision is due, whatever happens
 */
public record AcquireRequest(
    List<Charge> charges, Mode mode, OnOutage onOutage, Deadline deadline) {

  /** So many charges are compared with each other sooner than they are put into a map. */
  private static final int MANY = 16;

  /**
   * @throws IllegalArgumentException when there is no charge, when one counter has two different
   *     limits, when the permits of one counter add up to more than a long holds, or when the mode
   *     takes one counter and there are several, or no permit of it. Also when the limit is no
   *     sliding window, in the mode {@link Mode.OrBlock}
   */
  public AcquireRequest {
    charges = summed(charges);
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(onOutage, "onOutage");
    Objects.requireNonNull(deadline, "deadline");
    if (charges.isEmpty()) {
      throw Expect.failure("charges", charges, "at least one");
    }
    if (charges.size() > 1 && isOfOneCounter(mode)) {
      throw Expect.failure("charges", charges.size(), "of one counter, in the mode " + mode);
    }
    if (charges.get(0).permits() == 0 && isOfOneCounter(mode)) {
      throw Expect.failure("permits", 0, ">= 1, in the mode " + mode);
    }
    if (mode instanceof Mode.OrBlock
        && !(charges.get(0).counter().limit() instanceof SlidingWindow)) {
      throw Expect.failure(
          "limit", charges.get(0).counter().limit(), "a sliding window, in the mode " + mode);
    }
  }

  /** A request for exactly these charges. */
  public AcquireRequest(List<Charge> charges, OnOutage onOutage, Deadline deadline) {
    this(charges, Mode.EXACTLY, onOutage, deadline);
  }

  /** Returns this request in another mode. */
  public AcquireRequest in(Mode otherMode) {
    return new AcquireRequest(charges, otherMode, onOutage, deadline);
  }

  /** Returns this request with its deadline begun, for a store that may have to wait. */
  public AcquireRequest begun() {
    return deadline.hasBegun()
        ? this
        : new AcquireRequest(charges, mode, onOutage, deadline.begun());
  }

  private static boolean isOfOneCounter(Mode mode) {
    return mode instanceof Mode.UpTo || mode instanceof Mode.Within || mode instanceof Mode.OrBlock;
  }

  private static List<Charge> summed(List<Charge> charges) {
    if (charges.size() < 2) {
      return List.copyOf(charges);
    }
    if (charges.size() > MANY) {
      Map<Map.Entry<String, Subject>, Charge> sums = new LinkedHashMap<>();
      for (Charge charge : charges) {
        Counter counter = charge.counter();
        sums.merge(Map.entry(counter.name(), counter.subject()), charge, AcquireRequest::sum);
      }
      return List.copyOf(sums.values());
    }
    List<Charge> sums = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      int same = 0;
      while (same < sums.size() && !sums.get(same).counter().isSameAs(charge.counter())) {
        same++;
      }
      if (same == sums.size()) {
        sums.add(charge);
      } else {
        sums.set(same, sum(sums.get(same), charge));
      }
    }
    return List.copyOf(sums);
  }

  private static Charge sum(Charge one, Charge other) {
    if (!one.counter().limit().equals(other.counter().limit())) {
      throw Expect.failure(
          "limit",
          other.counter().limit(),
          "'" + one.counter().limit() + "', as in the other charge of " + one.counter().name());
    }
    if (one.permits() > Long.MAX_VALUE - other.permits()) {
      throw Expect.failure(
          "permits", one.permits() + " + " + other.permits(), "a sum that a long holds");
    }
    return new Charge(one.counter(), one.permits() + other.permits());
  }

  /**
   * A number of permits of one counter.
   *
   * @param permits more than the limit's capacity is accepted here and reported as never
   *     satisfiable. A charge of 0 takes nothing: it only requires that the counter is not
   *     {@linkplain Adjustment.Block blocked}
   */
  public record Charge(Counter counter, long permits) {

    /**
     * @throws IllegalArgumentException when permits is negative
     */
    public Charge {
      Objects.requireNonNull(counter, "counter");
      if (permits < 0) {
        throw Expect.failure("permits", permits, ">= 0");
      }
    }

    /** Returns whether this never fits, however long the request waits. */
    public boolean isNeverSatisfiable() {
      return permits > counter.limit().capacity();
    }
  }

  /** How an {@link AcquireRequest} takes its permits. */
  public sealed interface Mode {

    /** Takes all of them, or none. */
    record Exactly() implements Mode {}

    /**
     * As {@link Exactly}, but never out of a token lease of this node: such decisions do not state
     * exactly what is left.
     */
    record BypassLeases() implements Mode {}

    /**
     * Takes as many of them as are available, in whole permits. Where none is, the request is
     * denied as one for a single permit would be. So no such request is too large.
     */
    record UpTo() implements Mode {}

    /**
     * Takes none. Returns the current state, and what a request for all of them would get from the
     * store. Nothing is charged. Permits on token leases count as taken.
     */
    record Peek() implements Mode {}

    /**
     * Takes all of them if they are available within a time, or none. A token bucket and a leaky
     * bucket reserve them now, for use after the {@link Decision#delay}. Other limits decide as for
     * {@link Exactly}.
     *
     * @param maxWait how long the request can wait, at least zero
     */
    record Within(Duration maxWait) implements Mode {

      /**
       * @throws IllegalArgumentException when it is negative
       */
      public Within {
        if (maxWait.isNegative()) {
          throw Expect.failure("maxWait", maxWait, ">= 0");
        }
      }
    }

    /**
     * Takes all of them if more remain after that. Otherwise it forgets what was taken, and blocks
     * the counter from now on. A blocked counter does not change, so no request lengthens its
     * block. In process, a counter that several subjects share takes nothing and is never blocked,
     * because that would deny the other subjects too.
     *
     * @param duration of the block: whole microseconds, up to 366 days
     */
    record OrBlock(Duration duration) implements Mode {

      /**
       * @throws IllegalArgumentException when the duration is out of its range
       */
      public OrBlock {
        Spans.validate("duration", duration);
      }
    }

    /** An {@link Exactly}. */
    Mode EXACTLY = new Exactly();

    /** A {@link BypassLeases}. */
    Mode BYPASS_LEASES = new BypassLeases();

    /** An {@link UpTo}. */
    Mode UP_TO = new UpTo();

    /** A {@link Peek}. */
    Mode PEEK = new Peek();
  }
}

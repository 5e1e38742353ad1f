package dev.weir.store;

import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The immutable reply to an {@link AcquireRequest}. What describes a limit is that of the limit
 * that binds, and empty when the outage policy decided: then nothing was counted.
 *
 * <p>Among limits that deny, the one with the longest wait binds. Otherwise it is the one with the
 * fewest permits left. {@link Counted#verdicts()} has all limits of the request. {@link
 * Verdict#fits} is false for each that denies:
 *
 * <pre>{@code
 * if (limiter.tryAcquire("user-42") instanceof Decision.Counted counted) {
 *   for (Decision.Verdict verdict : counted.verdicts()) {
 *     System.out.println(verdict.counter().name() + (verdict.fits() ? " fits" : " denies"));
 *   }
 * }
 * }</pre>
 */
public sealed interface Decision {

  /**
   * Returns whether the request is allowed; for a {@link Mode.Peek}, whether it might be. If it is
   * not, nothing was charged anywhere.
   */
  boolean allowed();

  /** Returns how the decision was made. */
  Source source();

  /**
   * Returns how long to wait before the same request can succeed. It is that of the limit that
   * binds, which is the longest of all limits that deny. Where a concurrency limit binds, it is an
   * estimate. After a denial by the outage policy, it is the time until the store is next tried.
   *
   * <p>It is empty for two reasons: the request was allowed, or it never fits. {@link #allowed} and
   * {@link #isNeverSatisfiable} distinguish them.
   */
  Optional<Duration> retryAfter();

  /**
   * Returns the name of the limit that binds. Other limits may deny too, see {@link
   * Counted#verdicts()}.
   */
  default Optional<String> limitName() {
    return verdict().map(binding -> binding.counter().name());
  }

  /** Returns the limit that binds. */
  default Optional<Limit> limit() {
    return verdict().map(binding -> binding.counter().limit());
  }

  /** Returns how many permits the limit that binds would still grant. */
  default OptionalLong remaining() {
    return this instanceof Counted counted
        ? OptionalLong.of(counted.binding().remaining())
        : OptionalLong.empty();
  }

  /** Returns how many permits were granted of the limit that binds: 0 after a denial or a peek. */
  default OptionalLong granted() {
    return OptionalLong.empty();
  }

  /** Returns how long it takes until the limit that binds is full. */
  default Optional<Duration> resetAfter() {
    return verdict().map(Verdict::resetAfter);
  }

  /** Returns whether this request never fits, however long it waits. */
  default boolean isNeverSatisfiable() {
    return this instanceof Counted counted && counted.binding().retry() instanceof Retry.Never;
  }

  private Optional<Verdict> verdict() {
    return this instanceof Counted counted ? Optional.of(counted.binding()) : Optional.empty();
  }

  /**
   * Returns how long to wait before the permits may be used, as of the decision. Zero, unless the
   * mode was {@link Mode.Within}.
   */
  default Duration delay() {
    return Duration.ZERO;
  }

  /** Returns a decision made by counting, for use at once. */
  static Counted counted(Source source, List<Verdict> verdicts, Receipt receipt) {
    return counted(source, verdicts, receipt, Duration.ZERO);
  }

  /** Returns a decision made by counting, for use after a delay. */
  static Counted counted(Source source, List<Verdict> verdicts, Receipt receipt, Duration delay) {
    return new Counted(source, verdicts, receipt, delay);
  }

  /** Returns an allowance without counting: the store is gone and the outage policy allows. */
  static ByPolicy failOpen() {
    return new ByPolicy(Source.FAIL_OPEN, Optional.empty());
  }

  /** Returns a denial without counting: the store is gone and the outage policy denies. */
  static ByPolicy failClosed(Duration nextProbe) {
    return new ByPolicy(Source.FAIL_CLOSED, Optional.of(nextProbe));
  }

  /**
   * Returns what the policy decides when no store counts. {@link OnOutage#LOCAL} denies then, since
   * limiting in process requires a store too.
   */
  static ByPolicy uncounted(OnOutage onOutage, Duration nextProbe) {
    return onOutage == OnOutage.ALLOW ? failOpen() : failClosed(nextProbe);
  }

  /**
   * A decision made by counting.
   *
   * @param verdicts one for each counter of the request, in the request's order; the request was
   *     allowed when every one fits. After a denial, counters in an unresponsive part of the store
   *     are left out
   * @param receipt what was charged; empty when the request was denied, or was a peek
   */
  record Counted(Source source, List<Verdict> verdicts, Receipt receipt, Duration delay)
      implements Decision {

    public Counted {
      Objects.requireNonNull(source, "source");
      Objects.requireNonNull(receipt, "receipt");
      Objects.requireNonNull(delay, "delay");
      verdicts = List.copyOf(verdicts);
      if (verdicts.isEmpty()) {
        throw Expect.failure("verdicts", verdicts, "at least one");
      }
    }

    @Override
    public boolean allowed() {
      for (int i = 0; i < verdicts.size(); i++) {
        if (!verdicts.get(i).fits()) {
          return false;
        }
      }
      return true;
    }

    /** Returns the verdict of the counter that binds. */
    public Verdict binding() {
      Verdict tightest = verdicts.get(0);
      for (int i = 1; i < verdicts.size(); i++) {
        Verdict next = verdicts.get(i);
        tightest = isTighter(next, tightest) ? next : tightest;
      }
      return tightest;
    }

    private static boolean isTighter(Verdict one, Verdict other) {
      if (one.fits() != other.fits()) {
        return other.fits();
      }
      long waitNanos = waitNanos(one.retry());
      long otherWaitNanos = waitNanos(other.retry());
      return waitNanos == otherWaitNanos
          ? one.remaining() < other.remaining()
          : waitNanos > otherWaitNanos;
    }

    private static long waitNanos(Retry retry) {
      if (retry instanceof Retry.After after) {
        return after.nanos();
      }
      return retry instanceof Retry.Never ? Long.MAX_VALUE : 0;
    }

    @Override
    public OptionalLong granted() {
      Counter binding = binding().counter();
      long granted = 0;
      for (Receipt.Grant grant : receipt.grants()) {
        granted += grant.charge().counter().equals(binding) ? grant.charge().permits() : 0;
      }
      return OptionalLong.of(granted);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return binding().retry() instanceof Retry.After after
          ? Optional.of(after.time())
          : Optional.empty();
    }
  }

  /**
   * A decision made by the outage policy, uncounted.
   *
   * @param source {@link Source#FAIL_OPEN} or {@link Source#FAIL_CLOSED}
   * @param retryAfter when the store is next tried, for a denial
   */
  record ByPolicy(Source source, Optional<Duration> retryAfter) implements Decision {

    /**
     * @throws IllegalArgumentException when the source is not that of an outage policy
     */
    public ByPolicy {
      Objects.requireNonNull(retryAfter, "retryAfter");
      if (source != Source.FAIL_OPEN && source != Source.FAIL_CLOSED) {
        throw Expect.failure("source", source, "FAIL_OPEN or FAIL_CLOSED");
      }
    }

    @Override
    public boolean allowed() {
      return source == Source.FAIL_OPEN;
    }
  }

  /**
   * The state of one counter after a decision, as of the moment of the decision.
   *
   * @param counter the counter of this verdict
   * @param remaining how many permits would still be granted now, from 0 to the capacity
   * @param retry whether the requested permits of this counter fit, or when they would
   * @param resetAfterNanos how long until the counter is full if no more permits are taken
   * @param isOwn whether the subject has used up its own limit, where this does not fit. False if
   *     other subjects share the counter in process, if the node has only a share of the limit in
   *     an outage, or if the permits are for requests that wait already
   * @param blockedNanos how long the counter is still blocked, or 0; see {@link #blockedFor}
   */
  record Verdict(
      Counter counter,
      long remaining,
      Retry retry,
      long resetAfterNanos,
      boolean isOwn,
      long blockedNanos) {

    /**
     * @throws IllegalArgumentException when it is blocked for a negative time, or for longer than
     *     the retry waits
     */
    public Verdict {
      Objects.requireNonNull(counter, "counter");
      Objects.requireNonNull(retry, "retry");
      if (blockedNanos != 0 && (blockedNanos < 0 || blockedNanos > Counted.waitNanos(retry))) {
        throw Expect.failure("blockedNanos", blockedNanos, "0, or at most the wait of " + retry);
      }
    }

    /** Creates the verdict of a subject's own counter, which is not blocked. */
    public Verdict(Counter counter, long remaining, Retry retry, long resetAfterNanos) {
      this(counter, remaining, retry, resetAfterNanos, true, 0);
    }

    /** Creates the same with a reset after this time, or after 292 years if that is less. */
    public Verdict(Counter counter, long remaining, Retry retry, Duration resetAfter) {
      this(counter, remaining, retry, TimeUnit.NANOSECONDS.convert(resetAfter));
    }

    /**
     * Returns this with another retry.
     *
     * @throws IllegalArgumentException when the counter is blocked for longer than that
     */
    public Verdict withRetry(Retry newRetry) {
      return new Verdict(counter, remaining, newRetry, resetAfterNanos, isOwn, blockedNanos);
    }

    /** Returns this as a verdict for which the subject alone does not account. */
    public Verdict notOwn() {
      return new Verdict(counter, remaining, retry, resetAfterNanos, false, blockedNanos);
    }

    /**
     * Returns how long the counter is still blocked, as of the decision; empty when it is not. A
     * {@link Adjustment.Block} and {@link Mode.OrBlock} block it. Until then it denies everything,
     * and nothing remains, whatever the limit has left. The wait of {@code retry} is at least as
     * long. It is longer where the limit itself has no room by then.
     */
    public Optional<Duration> blockedFor() {
      return blockedNanos == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(blockedNanos));
    }

    /** Returns how long it takes until the counter is full if no more permits are taken. */
    public Duration resetAfter() {
      return Duration.ofNanos(resetAfterNanos);
    }

    /** Returns whether the requested permits of this counter fit. */
    public boolean fits() {
      return retry instanceof Retry.Now;
    }
  }

  /** The time at which the same request would fit a counter, if there is one. */
  sealed interface Retry {

    /** The request fits now. */
    record Now() implements Retry {}

    /**
     * The request fits after this wait if no other request takes the permits: no sooner, and no
     * later. For a concurrency limit, a store returns the latest time, and a limiter an estimate.
     *
     * @param nanos more than zero
     */
    record After(long nanos) implements Retry {

      /**
       * @throws IllegalArgumentException when the time is not positive
       */
      public After {
        Expect.positive("retry", nanos);
      }

      /**
       * Creates the same from a duration, or 292 years if that is less.
       *
       * @throws IllegalArgumentException when the time is not positive
       */
      public After(Duration time) {
        this(positiveNanos(time));
      }

      private static long positiveNanos(Duration time) {
        Expect.positive("retry", time);
        return TimeUnit.NANOSECONDS.convert(time);
      }

      public Duration time() {
        return Duration.ofNanos(nanos);
      }
    }

    /** The request never fits: it is larger than the limit's capacity. */
    record Never() implements Retry {}

    /** The only {@link Now} that is needed. */
    Retry NOW = new Now();

    /** The only {@link Never} that is needed. */
    Retry NEVER = new Never();
  }

  /**
   * The charges of a decision, and the store that made them. So permits of one store are never
   * refunded in another.
   *
   * @param source the store that granted
   * @param grants one for each counter charged; empty when nothing was charged
   */
  record Receipt(Source source, List<Grant> grants) {

    /**
     * One counter's part of a receipt.
     *
     * @param charge what was taken
     * @param stamp identifies the state from which the store took the permits. For a window, it is
     *     its end in microseconds of the store's clock. For a concurrency limit, it is the unique
     *     id of the held permits. For a bucket, it is the instant from which the permits may be
     *     used
     */
    public record Grant(Charge charge, long stamp) {

      public Grant {
        Objects.requireNonNull(charge, "charge");
      }

      /** Returns whether the permits are held until they are released, and not consumed. */
      public boolean isHeld() {
        return charge.counter().limit().algorithm().isHeld();
      }
    }

    public Receipt {
      Objects.requireNonNull(source, "source");
      grants = List.copyOf(grants);
    }

    /**
     * Returns the held part of this: the permits of concurrency limits. A refund of that part
     * releases what a request held while it ran. What the request consumed stays spent.
     */
    public Receipt held() {
      return those(true);
    }

    /** Returns the consumed part of this: the rest. */
    public Receipt consumed() {
      return those(false);
    }

    private Receipt those(boolean held) {
      for (Grant grant : grants) {
        if (grant.isHeld() != held) {
          return new Receipt(source, grants.stream().filter(it -> it.isHeld() == held).toList());
        }
      }
      return this; // nearly always, so it copies nothing
    }

    /** Returns the receipt of a denial, or of a peek. */
    public static Receipt nothing(Source source) {
      return new Receipt(source, List.of());
    }
  }
}

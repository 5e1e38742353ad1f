package dev.weir.store;

import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The immutable reply to an {@link AcquireRequest}. */
public sealed interface Decision {

  /**
   * Returns whether the request is allowed; for a {@link Mode.Peek}, whether it might be. If it is
   * not, nothing was charged anywhere.
   */
  boolean allowed();

  /** Returns how the decision was made. */
  Source source();

  /**
   * Returns how long to wait before the same request can succeed. Empty when it was allowed, or
   * when waiting does not help. Where a concurrency limit binds, it is an estimate.
   */
  Optional<Duration> retryAfter();

  /**
   * Returns how many permits the limit that binds would still grant. Empty when nothing was
   * counted.
   */
  default OptionalLong remaining() {
    return OptionalLong.empty();
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
  static ByPolicy open() {
    return new ByPolicy(Source.OPEN, Optional.empty());
  }

  /** Returns a denial without counting: the store is gone and the outage policy denies. */
  static ByPolicy closed(Duration nextProbe) {
    return new ByPolicy(Source.CLOSED, Optional.of(nextProbe));
  }

  /**
   * Returns what the policy decides when no store counts. {@link OnOutage#LOCAL} denies then, since
   * limiting in process requires a store too.
   */
  static ByPolicy uncounted(OnOutage onOutage, Duration nextProbe) {
    return onOutage == OnOutage.ALLOW ? open() : closed(nextProbe);
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

    /**
     * Returns the verdict of the counter that binds. Among counters that deny, it is the one with
     * the longest wait. Otherwise it is the one with the fewest permits left.
     */
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

    /** Returns the name of the limit that binds. */
    public String limitName() {
      return binding().counter().name();
    }

    /** Returns the limit that binds. */
    public Limit limit() {
      return binding().counter().limit();
    }

    /** Returns how many permits the binding limit has granted: 0 after a denial or a peek. */
    public long granted() {
      Counter binding = binding().counter();
      long granted = 0;
      for (Receipt.Grant grant : receipt.grants()) {
        granted += grant.charge().counter().equals(binding) ? grant.charge().permits() : 0;
      }
      return granted;
    }

    @Override
    public OptionalLong remaining() {
      return OptionalLong.of(binding().remaining());
    }

    /** Returns how long it takes until the binding limit is full. */
    public Duration resetAfter() {
      return binding().resetAfter();
    }

    /** Returns whether this request never fits, however long it waits. */
    public boolean isNeverSatisfiable() {
      return binding().retry() instanceof Retry.Never;
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
   * @param source {@link Source#OPEN} or {@link Source#CLOSED}
   * @param retryAfter when the store is next tried, for a denial
   */
  record ByPolicy(Source source, Optional<Duration> retryAfter) implements Decision {

    /**
     * @throws IllegalArgumentException when the source is not that of an outage policy
     */
    public ByPolicy {
      Objects.requireNonNull(retryAfter, "retryAfter");
      if (source != Source.OPEN && source != Source.CLOSED) {
        throw Expect.failure("source", source, "OPEN or CLOSED");
      }
    }

    @Override
    public boolean allowed() {
      return source == Source.OPEN;
    }
  }
}

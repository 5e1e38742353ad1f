package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The immutable answer to an {@link Ask}, or to a request that need not be asked about. */
public sealed interface Decision {

  /**
   * Whether the request may pass; for a {@link Terms.Peek}, whether it might. When it may not,
   * nothing was charged anywhere.
   */
  boolean allowed();

  /** How the decision came about. */
  Source source();

  /**
   * How long to wait before the same request can succeed; empty when it was allowed, or when no
   * waiting helps. Where a concurrency limit binds, it is an estimate.
   */
  Optional<Duration> retryAfter();

  /**
   * How long to wait before what was granted may be used, as of the answer. Zero, unless the terms
   * were {@link Terms.Within}.
   */
  Duration delay();

  /** Decided by counting, and to be used at once. */
  static Counted counted(Source source, List<Verdict> verdicts, Receipt receipt) {
    return counted(source, verdicts, receipt, Duration.ZERO);
  }

  /** Decided by counting, and to be used after a delay. */
  static Counted counted(Source source, List<Verdict> verdicts, Receipt receipt, Duration delay) {
    return new Counted(source, verdicts, receipt, delay);
  }

  /** Passed uncounted, because the store is gone and the outage policy says so. */
  static ByPolicy open() {
    return new ByPolicy(Source.OPEN, Optional.empty());
  }

  /** Denied uncounted, because the store is gone and the outage policy says so. */
  static ByPolicy closed(Duration nextProbe) {
    return new ByPolicy(Source.CLOSED, Optional.of(nextProbe));
  }

  /** What the policy answers when no store counts: to limit in process takes a store as well. */
  static ByPolicy uncounted(OnOutage onOutage, Duration nextProbe) {
    return onOutage == OnOutage.ALLOW ? open() : closed(nextProbe);
  }

  /** Passed or denied uncounted, because a rule treats this client so. */
  static ByRule byRule(boolean allowed) {
    return new ByRule(allowed);
  }

  /**
   * Decided by counting.
   *
   * @param verdicts one for each counter asked, in the order asked; the request was allowed when
   *     every one fits. After a denial, counters whose part of the store was silent are left out
   * @param receipt what was charged; empty when the request was denied, or only looked
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
      for (Verdict verdict : verdicts) {
        if (!verdict.fits()) {
          return false;
        }
      }
      return true;
    }

    /**
     * The counter that binds: of those that deny, the one that keeps the caller waiting longest;
     * otherwise the one with the fewest permits left.
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

    /** The name of the limit that binds. */
    public String limitName() {
      return binding().counter().name();
    }

    /** The limit that binds. */
    public Limit limit() {
      return binding().counter().limit();
    }

    /** How many permits the binding limit has granted: 0 when it was denied, or only looked. */
    public long granted() {
      Counter binding = binding().counter();
      long granted = 0;
      for (Receipt.Grant grant : receipt.grants()) {
        granted += grant.charge().counter().equals(binding) ? grant.charge().permits() : 0;
      }
      return granted;
    }

    /** How many permits the binding limit would still grant. */
    public long remaining() {
      return binding().remaining();
    }

    /** How long until the binding limit is as good as new. */
    public Duration resetAfter() {
      return binding().resetAfter();
    }

    /** Whether no waiting ever makes this request fit. */
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
   * What a store lends a node of one counter; see {@link Terms.Leased}.
   *
   * @param verdict how the counter stands beside what is lent; it fits when anything is
   * @param permits how many are lent anew
   * @param carried whether what was kept of the lease before is lent on: if not, that lease had
   *     ended, and it is lost
   * @param name what the lease is settled by
   * @param stamp of {@link Receipt.Grant grants} that are made out of it
   * @param length for which it may be spent, as of the instant of deciding
   */
  record Lent(
      Verdict verdict, long permits, boolean carried, long name, long stamp, Duration length)
      implements Decision {

    public Lent {
      Objects.requireNonNull(verdict, "verdict");
      Objects.requireNonNull(length, "length");
    }

    @Override
    public boolean allowed() {
      return permits > 0;
    }

    @Override
    public Source source() {
      return Source.REDIS;
    }

    @Override
    public Duration delay() {
      return Duration.ZERO;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return verdict.retry() instanceof Retry.After after
          ? Optional.of(after.time())
          : Optional.empty();
    }
  }

  /**
   * Decided by the outage policy, uncounted.
   *
   * @param source {@link Source#OPEN} or {@link Source#CLOSED}
   * @param retryAfter when the store is next tried, for a denial
   */
  record ByPolicy(Source source, Optional<Duration> retryAfter) implements Decision {

    /**
     * @throws IllegalArgumentException when the source is not an outage policy's
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

    @Override
    public Duration delay() {
      return Duration.ZERO;
    }
  }

  /**
   * Decided by a rule for who the client is, uncounted, and so without asking a store: it is on a
   * list, or has a plan without limits.
   */
  record ByRule(boolean allowed) implements Decision {

    @Override
    public Source source() {
      return Source.RULE;
    }

    @Override
    public Duration delay() {
      return Duration.ZERO;
    }

    /** Empty: no waiting makes somebody else of a client. */
    @Override
    public Optional<Duration> retryAfter() {
      return Optional.empty();
    }
  }
}

package dev.weir.redis;

import dev.weir.fixture.Units;
import dev.weir.internal.BucketUnits;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.TokenBucket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A token bucket or a leaky one in exact fractions of permits, written from the promise and not
 * from the scripts. Debt falls at the rate, on the limit's tick, and never below zero.
 *
 * @param debt permits of debt at that time
 * @param at microseconds; −1 when there is no bucket yet
 * @param last when the last waiting request runs; 0 when none waits
 * @param lastPermits how many permits run then
 */
record BucketModel(Rational debt, long at, long last, long lastPermits)
    implements LimitModel<BucketModel> {

  /** About 142 years: no reported wait is longer. */
  static final long FAR = 1L << 52;

  private static final Rational EXACT = Rational.of((1L << 53) - 1);

  static final BucketModel NONE = new BucketModel(Rational.of(0), -1, 0, 0);

  /** The numbers by which both limits are counted. */
  private record Numbers(
      Rational rate, Rational capacity, long tick, long q, long timeToFull, boolean leaks) {

    private static final Map<Limit, Numbers> KNOWN = new ConcurrentHashMap<>();

    static Numbers of(Limit limit) {
      return KNOWN.computeIfAbsent(limit, Numbers::read);
    }

    private static Numbers read(Limit limit) {
      return limit instanceof LeakyBucket leaky
          ? read(leaky.rate(), Units.of(leaky), leaky.capacity(), true)
          : read(((TokenBucket) limit).rate(), Units.of(limit), limit.capacity(), false);
    }

    private static Numbers read(Rate rate, BucketUnits units, long capacity, boolean leaks) {
      Rational perMicro = Rational.of(rate.permits(), TimeUnit.MICROSECONDS.convert(rate.period()));
      long tick = units.tickMicros();
      Rational whole = Rational.of(capacity);
      return new Numbers(perMicro, whole, tick, units.q(), paid(whole, perMicro, tick), leaks);
    }

    /** Returns what must be paid before that much more may run. */
    Rational due(Rational debt, Rational more) {
      return leaks ? debt : debt.plus(more).minus(capacity);
    }

    /**
     * Returns the debt at the instant at which the last waiting request runs, with so many permits.
     */
    Rational left(long permits) {
      return leaks ? Rational.of(permits) : capacity;
    }

    Rational mostOwed() {
      return leaks ? capacity : EXACT.per(Rational.of(q)).minus(capacity);
    }

    long paid(Rational permits) {
      return paid(permits, rate, tick);
    }

    /**
     * Returns how long it takes to pay so many permits, on the tick, up to the longest reported
     * wait.
     */
    private static long paid(Rational permits, Rational rate, long tick) {
      Rational ticks = permits.per(rate.times(Rational.of(tick)));
      return ticks.compareTo(Rational.of(FAR, tick)) > 0 ? FAR : ticks.ceil() * tick;
    }
  }

  /** Parses what a script has stored, in units of 1/q. */
  static BucketModel of(String state) {
    if (state.isEmpty()) {
      return NONE;
    }
    String[] parts = state.split(":", -1);
    Rational debt = Rational.of(Long.parseLong(parts[0]), Long.parseLong(parts[2]));
    boolean waits = parts.length > 3;
    return new BucketModel(
        debt,
        Long.parseLong(parts[1]),
        waits ? Long.parseLong(parts[3]) : 0,
        waits ? Long.parseLong(parts[4]) : 0);
  }

  /** Returns a bucket with more debt. */
  BucketModel owing(Rational more) {
    return new BucketModel(debt.plus(more), at, last, lastPermits);
  }

  private BucketModel owingLess(Rational permits) {
    return new BucketModel(debt.minus(permits).atLeastZero(), at, last, lastPermits);
  }

  /** Decides the same, without the state, for a debt that is no whole number of units. */
  Step.Reply decideLeniently(Step.Decide step) {
    TokenBucket limit = (TokenBucket) step.limit();
    BucketModel aged = aged(step.now(), step.stepsBack(), limit);
    Rational over = aged.debt.plus(Rational.of(step.permits() - limit.burst()));
    boolean never = step.permits() > limit.burst();
    boolean fits = !never && over.compareTo(Rational.of(0)) <= 0;
    long retry = fits || never ? 0 : aged.at + Numbers.of(limit).paid(over) - step.now();
    long remaining = Rational.of(limit.burst()).minus(aged.debt).atLeastZero().floor();
    return new Step.Reply(never ? -1 : fits ? 1 : 0, remaining, retry, 0, 0, 0, "");
  }

  @Override
  public Outcome<BucketModel> decide(Step.Decide step) {
    Numbers numbers = Numbers.of(step.limit());
    boolean jumped = isJump(step.now(), step.stepsBack(), numbers);
    BucketModel aged = aged(step.now(), step.stepsBack(), step.limit());
    Rational more = Rational.of(step.permits());
    Rational owed = aged.owed(numbers);
    Rational wanted = owed.plus(more);
    boolean requests = step.permits() > 0;
    boolean never = more.compareTo(numbers.capacity) > 0;
    long delay = requests ? aged.delay(numbers.due(owed, more), step.now(), numbers) : 0;
    long over = requests ? aged.delay(wanted.minus(numbers.mostOwed()), step.now(), numbers) : 0;
    boolean fits = !never && over == 0 && delay <= step.patience();
    long runs = fits && requests ? step.now() + delay : 0;
    BucketModel next = fits ? aged.owing(more) : aged;
    if (fits && delay > 0) {
      next = new BucketModel(next.debt, next.at, runs, step.permits());
    }
    long retry = never ? 0 : fits ? delay : Math.max(over, delay - step.patience());
    boolean writes = jumped || (fits && requests);
    long reset = next.reset(step.now(), step.limit());
    return new Outcome<>(
        new Step.Reply(
            never ? -1 : fits ? 1 : 0,
            next.remaining(step, numbers),
            retry,
            reset,
            runs,
            writes ? ttl(reset) : 0,
            ""),
        writes ? next : this);
  }

  /**
   * Returns the remaining permits; a leaky bucket that is not empty has some only for enough
   * patience.
   */
  private long remaining(Step.Decide step, Numbers numbers) {
    Rational owed = owed(numbers);
    boolean waits = delay(numbers.due(owed, Rational.of(0)), step.now(), numbers) > step.patience();
    return waits ? 0 : numbers.capacity.minus(owed).atLeastZero().floor();
  }

  private long delay(Rational permits, long now, Numbers numbers) {
    return permits.compareTo(Rational.of(0)) <= 0
        ? 0
        : Math.max(0, at + numbers.paid(permits) - now);
  }

  /** Returns the debt after a decision that grants. */
  Rational after(Step.Decide step) {
    return aged(step.now(), step.stepsBack(), step.limit()).debt.plus(Rational.of(step.permits()));
  }

  @Override
  public Optional<BucketModel> refund(Step.Refund step) {
    Numbers numbers = Numbers.of(step.limit());
    BucketModel aged = aged(step.now(), step.stepsBack(), step.limit());
    if (aged.last == 0 && step.stamp() <= step.now() && !numbers.leaks) {
      return late(step, aged, numbers);
    }
    Rational more = Rational.of(step.permits());
    Rational before = aged.debt.minus(more);
    boolean held = aged.owed(numbers).compareTo(aged.debt) > 0;
    if (held || before.compareTo(Rational.of(0)) < 0 || step.stamp() <= step.now()) {
      return Optional.empty();
    }
    Rational due = numbers.due(before, more);
    long delay = aged.delay(due, step.now(), numbers);
    long delayOfLess = aged.delay(due.minus(Rational.of(1)), step.now(), numbers);
    boolean isAlone = numbers.leaks || delayOfLess < delay;
    boolean isLast = isAlone || step.granted() == aged.lastPermits;
    if (step.now() + delay != step.stamp() || !isLast) {
      return Optional.empty();
    }
    long rest = aged.delay(before.minus(numbers.left(1)), step.now(), numbers);
    return Optional.of(
        rest == 0
            ? new BucketModel(before, aged.at, 0, 0)
            : new BucketModel(before, aged.at, step.now() + rest, 1));
  }

  /** Refunds no more than what time has not repaid since. */
  private static Optional<BucketModel> late(Step.Refund step, BucketModel aged, Numbers numbers) {
    long since = Math.floorDiv(step.stamp(), numbers.tick) * numbers.tick;
    Rational repaid = numbers.rate.times(Rational.of(Math.max(0, aged.at - since)));
    Rational unpaid = Rational.of(step.granted()).minus(repaid);
    Rational permits = Rational.of(step.permits());
    Rational left = unpaid.compareTo(permits) < 0 ? unpaid : permits;
    return left.compareTo(Rational.of(0)) <= 0 || aged.debt.compareTo(Rational.of(0)) == 0
        ? Optional.empty()
        : Optional.of(aged.owingLess(left));
  }

  @Override
  public Optional<BucketModel> reward(Step.Reward step) {
    BucketModel aged = aged(step.now(), step.stepsBack(), step.limit());
    return aged.debt.compareTo(Rational.of(0)) == 0
        ? Optional.empty()
        : Optional.of(aged.owingLess(Rational.of(step.permits())));
  }

  @Override
  public Optional<BucketModel> owe(Step.Owe step) {
    Numbers numbers = Numbers.of(step.limit());
    BucketModel aged = aged(step.now(), step.stepsBack(), step.limit());
    Rational most = EXACT.per(Rational.of(numbers.q)).minus(numbers.capacity);
    long room = most.minus(aged.debt).atLeastZero().floor();
    return Optional.of(aged.owing(Rational.of(Math.min(step.permits(), room))));
  }

  long reset(long now, Limit limit) {
    return owed(Numbers.of(limit)).compareTo(Rational.of(0)) == 0 ? 0 : keeps(now, limit);
  }

  /** Returns how long to keep it: a time in the future is worth keeping, even without debt. */
  @Override
  public long keeps(long now, Limit limit) {
    Numbers numbers = Numbers.of(limit);
    return Math.max(0, at + numbers.paid(owed(numbers)) - now);
  }

  @Override
  public long lasts(long now) {
    return Math.max(0, at - now);
  }

  @Override
  public String state(Limit limit) {
    long q = Numbers.of(limit).q;
    Rational units = debt.times(Rational.of(q));
    if (units.floor() != units.ceil()) {
      throw new AssertionError("a debt of whole units: " + units);
    }
    return units.floor() + ":" + at + ":" + q + (last > 0 ? ":" + last + ":" + lastPermits : "");
  }

  static long ttl(long reset) {
    return -Math.floorDiv(-reset, 1_000) + 1_000;
  }

  private BucketModel aged(long now, boolean stepsBack, Limit limit) {
    Numbers numbers = Numbers.of(limit);
    long present = Math.floorDiv(now, numbers.tick) * numbers.tick;
    if (at < 0) {
      return new BucketModel(Rational.of(0), present, 0, 0);
    }
    BucketModel known = new BucketModel(debt, onTick(numbers), last, lastPermits);
    if (isJump(now, stepsBack, numbers)) {
      known = new BucketModel(debt, present, last - (known.at - present), lastPermits);
    }
    if (known.last <= now) {
      known = new BucketModel(known.owed(numbers), known.at, 0, 0);
    }
    if (known.at >= present) {
      return known;
    }
    Rational paid = numbers.rate.times(Rational.of(present - known.at));
    Rational left = known.debt.minus(paid).atLeastZero();
    return new BucketModel(left, present, known.last, known.lastPermits);
  }

  /**
   * Returns the debt, or what holds newcomers back if that is more. When the last waiting request
   * runs, a token bucket is empty, and a leaky one contains that request's permits. Its wait was
   * rounded up to the tick, and so was what is paid until then. A debt that is paid within that
   * tick is the exception.
   */
  private Rational owed(Numbers numbers) {
    long until = -Math.floorDiv(-last, numbers.tick) * numbers.tick - at;
    if (last == 0 || until <= 0) {
      return debt;
    }
    Rational left = numbers.left(lastPermits);
    Rational before = left.plus(numbers.rate.times(Rational.of(until - numbers.tick)));
    if (debt.compareTo(before) > 0) {
      return debt;
    }
    Rational least = left.plus(numbers.rate.times(Rational.of(until)));
    Rational most = EXACT.per(Rational.of(numbers.q)).minus(numbers.capacity);
    return least.compareTo(most) < 0 ? least : most;
  }

  private boolean isJump(long now, boolean stepsBack, Numbers numbers) {
    long tick = numbers.tick;
    long ahead = onTick(numbers) - Math.floorDiv(now, tick) * tick;
    return at >= 0 && stepsBack && ahead > numbers.timeToFull;
  }

  private long onTick(Numbers numbers) {
    return -Math.floorDiv(-at, numbers.tick) * numbers.tick;
  }
}

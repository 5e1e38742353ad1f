package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.math.BigInteger;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A token bucket in exact fractions of permits, written from the promise and not from the scripts:
 * debt falls at the rate, on the limit's tick, and never below nothing.
 *
 * @param debt permits owed at that time
 * @param at microseconds; −1 when there is no bucket yet
 */
record BucketModel(Rational debt, long at) implements LimitModel<BucketModel> {

  /** About 142 years: no wait is said to be longer. */
  static final long FAR = 1L << 52;

  static final BucketModel NONE = new BucketModel(Rational.ZERO, -1);

  /** As a script has stored it, in units of 1/q. */
  static BucketModel of(String state) {
    if (state.isEmpty()) {
      return NONE;
    }
    String[] parts = state.split(":", -1);
    Rational debt = new Rational(new BigInteger(parts[0]), new BigInteger(parts[2]));
    return new BucketModel(debt, Long.parseLong(parts[1]));
  }

  /** A bucket that owes more. */
  BucketModel owing(Rational more) {
    return new BucketModel(debt.plus(more), at);
  }

  /** The same for a debt that is no whole number of units: without the state. */
  Step.Reply decideLeniently(Step.Decide step) {
    TokenBucket limit = (TokenBucket) step.limit();
    BucketModel aged = aged(step.now(), step.stepsBack(), limit);
    Rational over = aged.debt.plus(Rational.of(step.permits() - limit.burst()));
    boolean never = step.permits() > limit.burst();
    boolean fits = !never && over.compareTo(Rational.ZERO) <= 0;
    long retry = fits || never ? 0 : aged.at + paid(over, limit) - step.now();
    long remaining = Rational.of(limit.burst()).minus(aged.debt).atLeastZero().floor();
    return new Step.Reply(never ? -1 : fits ? 1 : 0, remaining, retry, 0, 0, 0, "");
  }

  @Override
  public Outcome<BucketModel> decide(Step.Decide step) {
    TokenBucket limit = (TokenBucket) step.limit();
    boolean jumped = isJump(step.now(), step.stepsBack(), limit);
    BucketModel aged = aged(step.now(), step.stepsBack(), limit);
    Rational burst = Rational.of(limit.burst());
    Rational wanted = aged.debt.plus(Rational.of(step.permits()));
    boolean never = step.permits() > limit.burst();
    boolean fits = !never && (step.permits() == 0 || wanted.compareTo(burst) <= 0);
    BucketModel next = fits ? new BucketModel(wanted, aged.at) : aged;
    long retry = 0;
    if (!fits && !never) {
      retry = aged.at + paid(wanted.minus(burst), limit) - step.now();
    }
    long remaining = burst.minus(next.debt).atLeastZero().floor();
    boolean writes = jumped || (fits && step.permits() > 0);
    long reset = next.reset(step.now(), limit);
    return new Outcome<>(
        new Step.Reply(
            never ? -1 : fits ? 1 : 0, remaining, retry, reset, 0, writes ? ttl(reset) : 0, ""),
        writes ? next : this);
  }

  /** What is owed after a decision that grants. */
  Rational after(Step.Decide step) {
    return aged(step.now(), step.stepsBack(), (TokenBucket) step.limit())
        .debt
        .plus(Rational.of(step.permits()));
  }

  @Override
  public Optional<BucketModel> giveBack(Step.GiveBack step) {
    return reward(new Step.Reward(step.now(), step.stepsBack(), step.limit(), step.permits()));
  }

  @Override
  public Optional<BucketModel> reward(Step.Reward step) {
    BucketModel aged = aged(step.now(), step.stepsBack(), (TokenBucket) step.limit());
    Rational left = aged.debt.minus(Rational.of(step.permits())).atLeastZero();
    return aged.debt.compareTo(Rational.ZERO) == 0
        ? Optional.empty()
        : Optional.of(new BucketModel(left, aged.at));
  }

  long reset(long now, TokenBucket limit) {
    return debt.compareTo(Rational.ZERO) == 0 ? 0 : keeps(now, limit);
  }

  /** A time in the future is worth keeping, even where nothing is owed. */
  @Override
  public long keeps(long now, Limit limit) {
    return Math.max(0, at + paid(debt, (TokenBucket) limit) - now);
  }

  @Override
  public String state(Limit limit) {
    long q = ((TokenBucket) limit).units().q();
    Rational units = debt.times(Rational.of(q));
    if (units.floor() != units.ceil()) {
      throw new AssertionError("a debt of whole units: " + units);
    }
    return units.floor() + ":" + at + ":" + q;
  }

  static long ttl(long reset) {
    return Rational.of(reset, 1_000).ceil() + 1_000;
  }

  private BucketModel aged(long now, boolean stepsBack, TokenBucket limit) {
    long tick = limit.units().tickMicros();
    long present = Rational.of(now, tick).floor() * tick;
    if (at < 0) {
      return new BucketModel(Rational.ZERO, present);
    }
    long since = onTick(limit);
    if (since >= present) {
      return new BucketModel(debt, isJump(now, stepsBack, limit) ? present : since);
    }
    Rational paid = rate(limit).times(Rational.of(present - since));
    return new BucketModel(debt.minus(paid).atLeastZero(), present);
  }

  private boolean isJump(long now, boolean stepsBack, TokenBucket limit) {
    long tick = limit.units().tickMicros();
    long ahead = onTick(limit) - Rational.of(now, tick).floor() * tick;
    return at >= 0 && stepsBack && ahead > paid(Rational.of(limit.burst()), limit);
  }

  private long onTick(TokenBucket limit) {
    long tick = limit.units().tickMicros();
    return Rational.of(at, tick).ceil() * tick;
  }

  /** How long it takes to pay so many permits, on the tick; no longer than is ever said. */
  private static long paid(Rational permits, TokenBucket limit) {
    long tick = limit.units().tickMicros();
    Rational ticks = permits.per(rate(limit).times(Rational.of(tick)));
    Rational longest = Rational.of(FAR, tick);
    return (ticks.compareTo(longest) > 0 ? longest : ticks).ceil() * tick;
  }

  /** Permits per microsecond. */
  private static Rational rate(TokenBucket limit) {
    return Rational.of(
        limit.rate().permits(), TimeUnit.MICROSECONDS.convert(limit.rate().period()));
  }
}

package dev.weir.redis;

import dev.weir.fixture.Units;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Rate;
import dev.weir.limit.TokenBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Steps that search the edges: just when a permit is due, just before, and after jumps. */
final class BucketWalk extends LimitWalk<Limit, BucketModel> {

  private final List<Step.Refund> waiting = new ArrayList<>();
  private Limit limit;

  /**
   * @param limits token buckets or leaky ones: the same one, as its numbers change
   */
  BucketWalk(SplittableRandom random, List<Limit> limits) {
    super(random, limits, BucketModel.NONE);
    limit = limits.get(0);
    now = START + random.nextLong(1_000_000_000L);
  }

  /** Requests one permit whenever there is one again. */
  @Override
  void saturate() {
    now += Math.min(retry, 2 * full());
    now = Walk.bounded(now);
    retry = run.decide(new Step.Decide(now, false, limit, 1)).retry();
  }

  @Override
  void wander(Limit next) {
    limit = next;
    pass();
    switch (random.nextInt(20)) {
      case 0 -> run.lose();
      case 1, 2 -> refund();
      case 3 -> reward();
      case 4 -> block();
      case 5, 6 -> cancel();
      case 7 -> run.owe(new Step.Owe(now, stepsBack(), limit, anyOwed()));
      case 8 -> run.owe(new Step.Owe(now, stepsBack(), limit, anyPermits()));
      case 9, 10 -> unblock(limit);
      default -> decide();
    }
  }

  private Rate rate() {
    return limit instanceof LeakyBucket leaky ? leaky.rate() : ((TokenBucket) limit).rate();
  }

  private long tickMicros() {
    return Units.of(limit).tickMicros();
  }

  private long full() {
    return TimeUnit.MICROSECONDS.convert(limit.timeToFull());
  }

  private void pass() {
    long full = full();
    now +=
        switch (random.nextInt(16)) {
          case 0 -> -random.nextLong(3);
          case 1 ->
              -(random.nextBoolean()
                  ? Math.min(full, START / 4) + random.nextInt(2) * tickMicros()
                  : random.nextLong(Math.min(full, START / 4) + 2));
          case 2 -> -Math.min(2 * full + random.nextLong(1_000), START / 4);
          case 3, 4, 5, 6 -> Math.min(retry, 2 * full);
          case 7, 8 -> Math.max(0, Math.min(retry, 2 * full) - tickMicros());
          case 9 -> Math.min(full, START / 4);
          default -> anyTime(random, rate(), limit.capacity());
        };
    now = Walk.bounded(now);
    retry = 0;
  }

  private void decide() {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.capacity();
          case 1 -> limit.capacity() + 1 + random.nextInt(2) * random.nextLong(1L << 50);
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> 1 + random.nextLong(limit.capacity());
        };
    Step.Decide step = new Step.Decide(now, stepsBack(), limit, permits, patience());
    Step.Reply reply = run.decide(step);
    retry = reply.retry();
    if (reply.stamp() > 0) {
      waiting.add(new Step.Refund(0, true, limit, permits, reply.stamp()));
    }
  }

  private long patience() {
    return random.nextBoolean() ? 0 : anyTime(random, rate(), limit.capacity());
  }

  /** Cancels a request, most often the newest of those that still wait. */
  private void cancel() {
    if (random.nextInt(4) > 0) {
      waiting.removeIf(grant -> grant.stamp() <= now);
    }
    if (waiting.isEmpty()) {
      return;
    }
    cancel(random.nextInt(2) > 0 ? 0 : random.nextInt(waiting.size()));
  }

  private void cancel(int age) {
    Step.Refund grant = waiting.remove(waiting.size() - 1 - age);
    run.refund(new Step.Refund(now, stepsBack(), limit, grant.permits(), grant.stamp()));
  }

  /** Rewards any permits, or those of the last waiting request; then it cancels the one before. */
  private void reward() {
    if (waiting.size() < 2 || random.nextBoolean()) {
      run.reward(new Step.Reward(now, stepsBack(), limit, anyPermits()));
      return;
    }
    long last = waiting.get(waiting.size() - 1).permits();
    run.reward(new Step.Reward(now, stepsBack(), limit, last));
    cancel(1);
  }

  private void refund() {
    long granted = anyPermits();
    long unspent = random.nextBoolean() ? granted : 1 + random.nextLong(granted);
    run.refund(new Step.Refund(now, stepsBack(), limit, unspent, anyStamp(), granted));
  }

  /** Returns a time long ago, just now, or ahead. */
  private long anyStamp() {
    long ago = anyTime(random, rate(), limit.capacity());
    return Math.max(0, random.nextInt(4) == 0 ? now + ago : now - ago);
  }

  private void block() {
    long length = Math.min(1 + anyTime(random, rate(), limit.capacity()), BlockModel.LONGEST);
    run.block(new Step.Block(now, stepsBack(), length));
  }

  private boolean stepsBack() {
    return random.nextInt(4) > 0;
  }

  /**
   * Returns at times more than can be counted. Not where the burst may grow afterwards and the two
   * together could not be counted.
   */
  private long anyOwed() {
    return limits.size() > 1 ? anyPermits() : 1 + random.nextLong(1L << 50);
  }

  private long anyPermits() {
    return 1 + random.nextLong(limit.capacity());
  }

  /** Returns a time from zero to twice the time to full, most often about one permit. */
  static long anyTime(SplittableRandom random, Rate rate, long capacity) {
    long permit = Math.max(1, TimeUnit.MICROSECONDS.convert(rate.period()) / rate.permits());
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextLong(3);
      case 2 -> random.nextLong(permit + 1);
      case 3 -> permit * (1 + random.nextLong(Math.min(capacity, 1_000)));
      case 4 -> random.nextLong(10 * permit);
      default -> random.nextLong(2 * permit * Math.min(capacity, 1_000) + 1);
    };
  }
}

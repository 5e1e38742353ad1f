package dev.weir.redis;

import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.Rate;
import dev.weir.TokenBucket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Steps that look for the edges: just when a permit is due, just before, and after jumps. */
final class BucketTrace {

  private final SplittableRandom random;
  private final Limit limit;
  private final Rate rate;
  private final long tickMicros;
  private final Deque<Step.GiveBack> waiting = new ArrayDeque<>();
  final ModelRun<BucketModel> run = new ModelRun<>(BucketModel.NONE);
  private long start;
  private long now;
  private long retry;

  /**
   * @param limit a token bucket or a leaky one
   */
  BucketTrace(SplittableRandom random, Limit limit) {
    this.random = random;
    this.limit = limit;
    if (limit instanceof LeakyBucket leaky) {
      rate = leaky.rate();
      tickMicros = leaky.units().tickMicros();
    } else {
      TokenBucket bucket = (TokenBucket) limit;
      rate = bucket.rate();
      tickMicros = bucket.units().tickMicros();
    }
  }

  void generate(int count, long start) {
    this.start = start;
    now = start + random.nextLong(1_000_000_000L);
    for (int i = 0; i < count; i++) {
      pass();
      switch (random.nextInt(20)) {
        case 0 -> run.lose();
        case 1, 2 -> giveBack();
        case 3 -> run.reward(new Step.Reward(now, stepsBack(), limit, anyPermits()));
        case 4 -> block();
        case 5, 6 -> cancel();
        case 7 -> run.owe(new Step.Owe(now, stepsBack(), limit, 1 + random.nextLong(1L << 50)));
        case 8 -> run.owe(new Step.Owe(now, stepsBack(), limit, anyPermits()));
        default -> decide();
      }
    }
  }

  private void pass() {
    long full = new BucketModel(Rational.of(limit.capacity()), 0, 0).reset(0, limit);
    now +=
        switch (random.nextInt(16)) {
          case 0 -> -random.nextLong(3);
          case 1 -> -random.nextLong(Math.min(full, start / 4) + 2);
          case 2 -> -Math.min(2 * full + random.nextLong(1_000), start / 4);
          case 3, 4, 5, 6 -> Math.min(retry, 2 * full);
          case 7, 8 -> Math.max(0, Math.min(retry, 2 * full) - tickMicros);
          case 9 -> Math.min(full, start / 4);
          default -> anyTime(random, rate, limit.capacity());
        };
    // beyond, the sums of times that a script makes would not be exact
    now = now > 2 * start ? start : Math.max(now, start / 8);
    retry = 0;
  }

  private void decide() {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.capacity();
          case 1 -> limit.capacity() + 1 + random.nextLong(1L << 50);
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> 1 + random.nextLong(limit.capacity());
        };
    Step.Decide step = new Step.Decide(now, stepsBack(), limit, permits, patience());
    Step.Reply reply = run.decide(step);
    retry = reply.retry();
    if (reply.stamp() > 0) {
      waiting.addLast(new Step.GiveBack(0, true, limit, permits, reply.stamp()));
    }
  }

  private long patience() {
    return random.nextBoolean() ? 0 : anyTime(random, rate, limit.capacity());
  }

  /** Most often whoever came last. */
  private void cancel() {
    if (waiting.isEmpty()) {
      return;
    }
    Step.GiveBack grant = random.nextInt(4) > 0 ? waiting.removeLast() : waiting.removeFirst();
    run.giveBack(new Step.GiveBack(now, stepsBack(), limit, grant.permits(), grant.stamp()));
  }

  private void giveBack() {
    run.giveBack(new Step.GiveBack(now, stepsBack(), limit, anyPermits(), anyStamp()));
  }

  /** Long ago, just now, or ahead. */
  private long anyStamp() {
    long ago = anyTime(random, rate, limit.capacity());
    return Math.max(0, random.nextInt(4) == 0 ? now + ago : now - ago);
  }

  private void block() {
    long length = Math.min(1 + anyTime(random, rate, limit.capacity()), BlockModel.LONGEST);
    run.block(new Step.Block(now, stepsBack(), length));
  }

  private boolean stepsBack() {
    return random.nextInt(4) > 0;
  }

  private long anyPermits() {
    return 1 + random.nextLong(limit.capacity());
  }

  /** From nothing to twice the time to full, most often about one permit. */
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

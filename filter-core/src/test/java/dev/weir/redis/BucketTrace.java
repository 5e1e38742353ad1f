package dev.weir.redis;

import dev.weir.TokenBucket;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Steps that look for the edges: just when a permit is due, just before, and after jumps. */
final class BucketTrace {

  private final SplittableRandom random;
  private final TokenBucket limit;
  final ModelRun<BucketModel> run = new ModelRun<>(BucketModel.NONE);
  private long start;
  private long now;
  private long retry;

  BucketTrace(SplittableRandom random, TokenBucket limit) {
    this.random = random;
    this.limit = limit;
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
        default -> decide();
      }
    }
  }

  private void pass() {
    long full =
        BucketModel.of(limit.burst() * limit.units().q() + ":0:" + limit.units().q())
            .reset(0, limit);
    now +=
        switch (random.nextInt(16)) {
          case 0 -> -random.nextLong(3);
          case 1 -> -random.nextLong(Math.min(full, start / 4) + 2);
          case 2 -> -Math.min(2 * full + random.nextLong(1_000), start / 4);
          case 3, 4, 5, 6 -> retry;
          case 7, 8 -> Math.max(0, retry - limit.units().tickMicros());
          case 9 -> Math.min(full, start / 4);
          default -> anyTime(random, limit);
        };
    now = Math.max(now, start / 8);
    retry = 0;
  }

  private void decide() {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.burst();
          case 1 -> limit.burst() + 1 + random.nextLong(1L << 50);
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> 1 + random.nextLong(limit.burst());
        };
    retry = run.decide(new Step.Decide(now, stepsBack(), limit, permits));
  }

  private void giveBack() {
    run.giveBack(new Step.GiveBack(now, stepsBack(), limit, anyPermits(), 0));
  }

  private void block() {
    long length = Math.min(1 + anyTime(random, limit), BlockModel.LONGEST);
    run.block(new Step.Block(now, stepsBack(), length));
  }

  private boolean stepsBack() {
    return random.nextInt(4) > 0;
  }

  private long anyPermits() {
    return 1 + random.nextLong(limit.burst());
  }

  /** From nothing to twice the time to full, most often about one permit. */
  static long anyTime(SplittableRandom random, TokenBucket limit) {
    long permit =
        Math.max(1, TimeUnit.MICROSECONDS.convert(limit.rate().period()) / limit.rate().permits());
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextLong(3);
      case 2 -> random.nextLong(permit + 1);
      case 3 -> permit * (1 + random.nextLong(Math.min(limit.burst(), 1_000)));
      case 4 -> random.nextLong(10 * permit);
      default -> random.nextLong(2 * permit * Math.min(limit.burst(), 1_000) + 1);
    };
  }
}

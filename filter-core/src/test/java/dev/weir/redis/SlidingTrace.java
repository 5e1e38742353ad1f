package dev.weir.redis;

import dev.weir.SlidingWindow;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Steps that look for the edges: the end of a sub-window, just before it, and after jumps. */
final class SlidingTrace {

  private final SplittableRandom random;
  private final List<SlidingWindow> limits;
  final ModelRun<SlidingModel> run = new ModelRun<>(SlidingModel.NONE);
  private long now;
  private long retry;

  SlidingTrace(SplittableRandom random, List<SlidingWindow> limits) {
    this.random = random;
    this.limits = limits;
  }

  void generate(int count, long start) {
    now = start;
    for (int i = 0; i < count; i++) {
      SlidingWindow limit = limits.get(random.nextInt(limits.size()));
      pass(limit);
      switch (random.nextInt(20)) {
        case 0 -> run.lose();
        case 1, 2 -> giveBack(limit);
        case 3 -> reward(limit);
        case 4 -> block(limit);
        case 5 -> owe(limit);
        default -> decide(limit);
      }
    }
  }

  private void pass(SlidingWindow limit) {
    long width = TimeUnit.MICROSECONDS.convert(limit.subWindow());
    long toNext = width - now % width;
    now +=
        switch (random.nextInt(20)) {
          case 0 -> -random.nextLong(3 * width + 1);
          case 1 -> -random.nextLong(4 * width * (limit.subWindows() + 1) + 1);
          case 2 -> width * (limit.subWindows() + 1L);
          case 3, 4 -> retry;
          case 5, 6 -> Math.max(0, retry - 1);
          case 7 -> toNext;
          case 8 -> toNext - 1;
          case 9, 10, 11 -> random.nextLong(2 * width);
          default -> random.nextLong(width / 4 + 1);
        };
    retry = 0;
  }

  private void decide(SlidingWindow limit) {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.quota();
          case 1 -> limit.quota() + 1 + random.nextLong(1L << 50);
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> 1 + random.nextLong(1 + limit.quota() / 4);
        };
    retry = run.decide(new Step.Decide(now, random.nextInt(4) > 0, limit, permits)).retry();
  }

  private void giveBack(SlidingWindow limit) {
    long permits = 1 + random.nextLong(limit.quota());
    long stamp = random.nextInt(4) == 0 ? now : run.model().newestStamp();
    run.giveBack(new Step.GiveBack(now, random.nextBoolean(), limit, permits, stamp));
  }

  private void reward(SlidingWindow limit) {
    long permits = 1 + random.nextLong(limit.quota());
    run.reward(new Step.Reward(now, random.nextBoolean(), limit, permits));
  }

  private void owe(SlidingWindow limit) {
    long permits = 1 + random.nextLong(2 * limit.quota());
    run.owe(new Step.Owe(now, random.nextBoolean(), limit, permits));
  }

  private void block(SlidingWindow limit) {
    long length = 1 + random.nextLong(TimeUnit.MICROSECONDS.convert(limit.length()));
    run.block(new Step.Block(now, random.nextBoolean(), length));
  }
}

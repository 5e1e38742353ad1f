package dev.weir.redis;

import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Steps that search the edges: the end of a sub-window, just before it, and after jumps. */
final class SlidingWalk extends LimitWalk<SlidingWindow, SlidingModel> {

  SlidingWalk(SplittableRandom random, List<Limit> limits) {
    super(random, all(SlidingWindow.class, limits), SlidingModel.NONE);
  }

  @Override
  void wander(SlidingWindow limit) {
    pass(limit);
    switch (random.nextInt(20)) {
      case 0 -> run.lose();
      case 1, 2 -> refund(limit);
      case 3 -> reward(limit);
      case 4 -> block(TimeUnit.MICROSECONDS.convert(limit.length()));
      case 5 -> owe(limit);
      case 6, 7 -> unblock(limit);
      default -> decide(limit);
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
          case 12 -> -width * (limit.subWindows() + 1L + random.nextInt(2));
          case 3, 4 -> retry;
          case 5, 6 -> Math.max(0, retry - 1);
          case 7 -> toNext;
          case 8 -> toNext - 1;
          case 9, 10, 11 -> random.nextLong(2 * width);
          default -> random.nextLong(width / 4 + 1);
        };
    now = Walk.bounded(now);
    retry = 0;
  }

  private void decide(SlidingWindow limit) {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.quota();
          case 1 -> limit.quota() + 1 + random.nextInt(2) * random.nextLong(1L << 50);
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> 1 + random.nextLong(1 + limit.quota() / 4);
        };
    retry = run.decide(new Step.Decide(now, random.nextInt(4) > 0, limit, permits)).retry();
  }

  private void refund(SlidingWindow limit) {
    long permits = 1 + random.nextLong(limit.quota());
    long stamp = random.nextInt(4) == 0 ? now : run.model().newestStamp();
    run.refund(new Step.Refund(now, random.nextBoolean(), limit, permits, stamp));
  }
}

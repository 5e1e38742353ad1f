package dev.weir.redis;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Steps that search the edges: the end of the window, just before it, and after jumps. */
final class WindowWalk extends LimitWalk<FixedWindow, WindowModel> {

  WindowWalk(SplittableRandom random, List<Limit> limits) {
    super(random, all(FixedWindow.class, limits), WindowModel.NONE);
  }

  @Override
  void wander(FixedWindow limit) {
    pass(TimeUnit.MICROSECONDS.convert(limit.window().longest()));
    switch (random.nextInt(20)) {
      case 0 -> run.lose();
      case 1, 2 -> refund(limit);
      case 3 -> reward(limit);
      case 4 -> block(TimeUnit.MICROSECONDS.convert(limit.window().longest()));
      case 5 -> owe(limit);
      case 6, 7 -> unblock(limit);
      default -> decide(limit);
    }
  }

  private void pass(long length) {
    long toEnd = Math.max(0, run.model().end() - now);
    now +=
        switch (random.nextInt(16)) {
          case 0 -> -random.nextLong(length + 1);
          case 1 -> -random.nextLong(4 * length + 1);
          case 9 -> toEnd == 0 ? 1 : toEnd - 2 * length - random.nextInt(2);
          case 2 -> length;
          case 3, 4 -> toEnd;
          case 5, 6 -> Math.max(0, toEnd - 1);
          case 7, 8 -> random.nextLong(length + 1);
          default -> random.nextLong(length / 8 + 1);
        };
    now = Walk.bounded(now);
    retry = 0;
  }

  private void decide(FixedWindow limit) {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.quota();
          case 1 -> limit.quota() + 1 + random.nextInt(2) * random.nextLong(1L << 50);
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> 1 + random.nextLong(limit.quota());
        };
    run.decide(new Step.Decide(now, random.nextInt(4) > 0, limit, permits));
  }

  private void refund(FixedWindow limit) {
    long permits = 1 + random.nextLong(limit.quota());
    long stamp = random.nextInt(4) == 0 ? now : run.model().end();
    run.refund(new Step.Refund(now, random.nextBoolean(), limit, permits, stamp));
  }
}

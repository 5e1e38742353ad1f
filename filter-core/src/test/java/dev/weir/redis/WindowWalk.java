package dev.weir.redis;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Steps that look for the edges: the end of the window, just before it, and after jumps. */
final class WindowWalk implements Walk {

  private final SplittableRandom random;
  private final List<FixedWindow> limits;
  private final Saturation saturation;
  private final ModelRun<WindowModel> run = new ModelRun<>(WindowModel.NONE);
  private long now = START;
  private long retry;

  WindowWalk(SplittableRandom random, List<Limit> limits) {
    this.random = random;
    this.limits = limits.stream().map(limit -> (FixedWindow) limit).toList();
    saturation = new Saturation(random);
  }

  @Override
  public List<Step> steps() {
    return run.steps;
  }

  @Override
  public List<Step.Reply> expected() {
    return run.expected;
  }

  @Override
  public void step() {
    switch (saturation.next()) {
      case BEGINS -> run.lose();
      case LASTS -> saturate();
      default -> wander(limits.get(random.nextInt(limits.size())));
    }
  }

  /** Whoever asks for all there is whenever there is any again. */
  private void saturate() {
    FixedWindow limit = limits.get(0);
    now = Walk.bounded(now + retry);
    retry = run.decide(new Step.Decide(now, false, limit, limit.capacity())).retry();
  }

  private void wander(FixedWindow limit) {
    pass(TimeUnit.MICROSECONDS.convert(limit.window().longest()));
    switch (random.nextInt(20)) {
      case 0 -> run.lose();
      case 1, 2 -> giveBack(limit);
      case 3 -> reward(limit);
      case 4 -> block(limit);
      case 5 -> owe(limit);
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

  private void giveBack(FixedWindow limit) {
    long permits = 1 + random.nextLong(limit.quota());
    long stamp = random.nextInt(4) == 0 ? now : run.model().end();
    run.giveBack(new Step.GiveBack(now, random.nextBoolean(), limit, permits, stamp));
  }

  private void reward(FixedWindow limit) {
    long permits = 1 + random.nextLong(limit.quota());
    run.reward(new Step.Reward(now, random.nextBoolean(), limit, permits));
  }

  private void owe(FixedWindow limit) {
    long permits = 1 + random.nextLong(2 * limit.quota());
    run.owe(new Step.Owe(now, random.nextBoolean(), limit, permits));
  }

  private void block(FixedWindow limit) {
    long length = 1 + random.nextLong(TimeUnit.MICROSECONDS.convert(limit.window().longest()));
    run.block(new Step.Block(now, random.nextBoolean(), length));
  }
}

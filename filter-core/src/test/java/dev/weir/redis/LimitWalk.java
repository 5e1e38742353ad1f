package dev.weir.redis;

import dev.weir.limit.Limit;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A walk over one counter of one kind of limit, as its exact model answers it. At times it starts
 * with a new counter and requests all permits whenever there are any. Otherwise it wanders.
 */
abstract class LimitWalk<L extends Limit, M extends LimitModel<M>> implements Walk {

  final SplittableRandom random;
  final List<L> limits;
  final ModelRun<M> run;
  long now = START;
  long retry;
  private final Saturation saturation;

  /**
   * @param limits the same one, as its numbers change
   */
  LimitWalk(SplittableRandom random, List<L> limits, M none) {
    this.random = random;
    this.limits = limits;
    run = new ModelRun<>(none);
    saturation = new Saturation(random);
  }

  /** Casts limits that are known to be of one kind. */
  static <L extends Limit> List<L> all(Class<L> kind, List<Limit> limits) {
    return limits.stream().map(kind::cast).toList();
  }

  @Override
  public final List<Step> steps() {
    return run.steps;
  }

  @Override
  public final List<Step.Reply> expected() {
    return run.expected;
  }

  @Override
  public final void step() {
    switch (saturation.next()) {
      case BEGINS -> run.lose();
      case LASTS -> saturate();
      default -> wander(limits.get(random.nextInt(limits.size())));
    }
  }

  /** Requests all permits whenever there are any again. */
  void saturate() {
    L limit = limits.get(0);
    now = Walk.bounded(now + retry);
    beforeRequesting();
    retry = run.decide(new Step.Decide(now, false, limit, limit.capacity())).retry();
  }

  /** A hook to change the time of the request. */
  void beforeRequesting() {}

  /** Takes one step anywhere. */
  abstract void wander(L limit);

  final void reward(L limit) {
    long permits = 1 + random.nextLong(limit.capacity());
    run.reward(new Step.Reward(now, random.nextBoolean(), limit, permits));
  }

  final void owe(L limit) {
    long permits = 1 + random.nextLong(2 * limit.capacity());
    run.owe(new Step.Owe(now, random.nextBoolean(), limit, permits));
  }

  /** Blocks for so long at most. */
  final void block(long longest) {
    run.block(new Step.Block(now, random.nextBoolean(), 1 + random.nextLong(longest)));
  }

  final void unblock(L limit) {
    run.unblock(new Step.Unblock(now, random.nextBoolean(), limit));
  }
}

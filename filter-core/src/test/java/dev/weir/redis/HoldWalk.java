package dev.weir.redis;

import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A made-up trace over one counter of held permits, as the exact model answers it. */
final class HoldWalk extends LimitWalk<Concurrency, HoldModel> {

  private final List<Long> stamps = new ArrayList<>();

  HoldWalk(SplittableRandom random, List<Limit> limits) {
    super(random, all(Concurrency.class, limits), HoldModel.NONE);
  }

  @Override
  void wander(Concurrency limit) {
    pass(limit);
    switch (random.nextInt(24)) {
      case 0 -> run.lose();
      case 1 -> run.reward(new Step.Reward(now, random.nextBoolean(), limit, 1));
      case 2 -> block(TimeUnit.MICROSECONDS.convert(limit.ttl()));
      case 3, 4, 5, 6, 7 -> run.refund(new Step.Refund(now, back(), limit, 1, stamp()));
      case 8, 9, 10, 11, 12 -> run.renew(new Step.Renew(now, back(), limit, stamp()));
      case 13, 14 -> unblock(limit);
      default -> decide(limit);
    }
  }

  private boolean back() {
    return random.nextInt(4) > 0;
  }

  private void pass(Concurrency limit) {
    long ttl = TimeUnit.MICROSECONDS.convert(limit.ttl());
    now +=
        switch (random.nextInt(24)) {
          case 0 -> -random.nextLong(ttl + 1);
          case 1 -> -random.nextLong(5 * ttl + 1);
          case 2 -> ttl;
          case 3, 4 -> retry;
          case 5, 6 -> Math.max(0, retry - 1);
          case 7 -> 0;
          case 10 -> run.model().lastEnd(now) - now - 2 * ttl - random.nextInt(2);
          case 8, 9 -> random.nextLong(2 * ttl);
          default -> random.nextLong(ttl / 8 + 1);
        };
    now = Walk.bounded(now);
    retry = 0;
  }

  private void decide(Concurrency limit) {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.permits();
          case 1 -> limit.permits() + 1 + random.nextInt(2) * random.nextLong(1L << 50);
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> 1 + random.nextLong(1 + limit.permits() / 4);
        };
    beforeRequesting();
    retry = run.decide(new Step.Decide(now, back(), limit, permits)).retry();
  }

  /** Makes the time unique: permits are named by the time of their request. */
  @Override
  void beforeRequesting() {
    while (stamps.contains(now)) {
      now++;
    }
    stamps.add(now);
  }

  /** Returns mostly one of the last grants, at times one that has long ended or never existed. */
  private long stamp() {
    if (stamps.isEmpty() || random.nextInt(12) == 0) {
      return 1 + random.nextLong(1L << 52);
    }
    int age = random.nextInt(random.nextInt(4) == 0 ? stamps.size() : Math.min(6, stamps.size()));
    return stamps.get(stamps.size() - 1 - age);
  }
}

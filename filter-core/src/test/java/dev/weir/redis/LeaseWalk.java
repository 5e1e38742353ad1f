package dev.weir.redis;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Some nodes that lease from one counter, and others that call it directly. Nodes renew and spend,
 * refund, answer late and die. The store's clock steps back, and numbers change. Steps search the
 * edges: the ends of leases, just before them, and when a permit is due.
 *
 * <p>When the store's clock jumps ahead, every node with a lease dies: spending out of leases that
 * such a jump ends is not promised. Neither is a call in flight to the store when a window may
 * begin a second time, after a clock that stepped back.
 */
final class LeaseWalk implements Walk {

  private static final int NODES = 4;

  /** The call that a node has begun and not ended. */
  private enum Call {
    NONE,
    UNDER_WAY,
    REPLIED
  }

  private final SplittableRandom random;
  private final List<Limit> limits;
  private final boolean stepsBack;
  private final List<Step> steps = new ArrayList<>();
  private final Call[] calls = new Call[NODES];
  private final long[] cutTimes = new long[NODES];

  /** The nodes' time, and how far the store's clock is ahead of it. */
  private long time = START;

  private long ahead;
  private final List<Long> setBack = new ArrayList<>();
  private Limit limit;

  LeaseWalk(SplittableRandom random, List<Limit> limits) {
    this.random = random;
    this.limits = limits;
    stepsBack = random.nextInt(4) > 0;
    time += random.nextLong(1_000_000);
    limit = limits.get(0);
    Arrays.fill(calls, Call.NONE);
  }

  @Override
  public List<Step> steps() {
    return steps;
  }

  @Override
  public List<Step.Reply> expected() {
    return List.of();
  }

  private long now() {
    return time + ahead;
  }

  @Override
  public void step() {
    limit = limits.get(random.nextInt(limits.size()));
    if (random.nextInt(3) == 0) {
      time += passing();
    }
    switch (random.nextInt(64)) {
      case 0 -> jump();
      case 1 -> lose();
      case 2 -> reset();
      case 3 -> steps.add(new Step.Block(now(), stepsBack, 1 + random.nextLong(20_000)));
      case 4 -> steps.add(new Step.Reward(now(), stepsBack, limit, anyPermits()));
      case 5 -> steps.add(new Step.Owe(now(), stepsBack, limit, anyPermits()));
      case 6, 7 -> refund();
      case 8, 9, 10 -> die();
      case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 -> decide();
      case 23 -> await();
      case 39 -> steps.add(new Step.Unblock(now(), stepsBack, limit));
      case 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38 -> spend();
      default -> goOn(random.nextInt(NODES));
    }
  }

  /**
   * Returns a time to or about the next end of a lease, about a permit's time, or past everything.
   */
  private long passing() {
    long toEdge = LeasedState.GRID - Math.floorMod(now(), LeasedState.GRID);
    return switch (random.nextInt(10)) {
      case 0 -> toEdge;
      case 1 -> toEdge - 1;
      case 2 -> toEdge + random.nextInt(3);
      case 3 -> random.nextLong(1_000);
      case 4 -> toEdge + LeasedState.GRID - random.nextInt(2);
      case 5, 6 -> random.nextLong(8_000);
      case 7 -> random.nextLong(25_000);
      case 8 -> Math.min(START / 1_000, anyTime());
      default -> Math.min(START / 1_000, random.nextLong(2 * full() + 2));
    };
  }

  private long anyTime() {
    return limit instanceof TokenBucket bucket
        ? BucketWalk.anyTime(random, bucket.rate(), bucket.burst())
        : random.nextLong(2 * full() + 2);
  }

  private long full() {
    return TimeUnit.MICROSECONDS.convert(limit.timeToFull());
  }

  private void jump() {
    long jump =
        switch (random.nextInt(6)) {
          case 0 -> 1 + random.nextLong(3);
          case 1 -> LeasedState.GRID + random.nextInt(3) - 1;
          case 2, 3 -> 1 + random.nextLong(45_000);
          case 4 -> Math.min(START / 8, full()) + random.nextLong(45_000);
          default -> Math.min(START / 8, 2 * full()) + random.nextLong(45_000);
        };
    if (random.nextInt(3) > 0) {
      ahead = Math.max(ahead - jump, START / 4 - time);
      setBack.add(time);
      return;
    }
    for (int node = 0; node < NODES; node++) {
      die(node);
    }
    ahead = Math.min(ahead + jump, START / 4);
  }

  private void lose() {
    steps.add(new Step.Overwrite(""));
    Arrays.fill(calls, Call.NONE);
  }

  /** Resets the counter, which also forgets what is leased of a window. */
  private void reset() {
    if (limit instanceof TokenBucket) {
      steps.add(new Step.Reset(now(), stepsBack));
    } else {
      lose();
    }
  }

  private void die() {
    die(random.nextInt(NODES));
  }

  private void die(int node) {
    steps.add(new Step.Death(node));
    calls[node] = Call.NONE;
  }

  /** Begins to renew, or delivers the call to the store, or its answer to the node. */
  private void goOn(int node) {
    switch (calls[node]) {
      case NONE -> {
        steps.add(new Step.Cut(time, node, random.nextInt(3) == 0 ? 0 : anyPermits()));
        calls[node] = Call.UNDER_WAY;
        cutTimes[node] = time;
      }
      case UNDER_WAY -> {
        if (isTooLate(node)) {
          die(node);
          return;
        }
        long wanted = random.nextInt(6) == 0 ? 0 : anyPermits();
        if (random.nextInt(3) == 0) {
          refresh();
        }
        steps.add(new Step.Renewal(now(), stepsBack, limit, node, wanted));
        calls[node] = Call.REPLIED;
        if (random.nextInt(3) == 0) {
          refresh();
        }
      }
      default -> {
        steps.add(new Step.Arrival(node));
        calls[node] = Call.NONE;
      }
    }
    if (calls[node] != Call.NONE && random.nextInt(3) > 0) {
      goOn(node);
    }
  }

  /**
   * Returns whether the call was in flight when a window may begin a second time: no promise then.
   */
  private boolean isTooLate(int node) {
    return limit instanceof FixedWindow
        && setBack.stream()
            .anyMatch(back -> cutTimes[node] < back + full() && time >= back + full());
  }

  private void refresh() {
    steps.add(new Step.Decide(now(), stepsBack, limit, 0));
  }

  private void spend() {
    long permits = random.nextBoolean() ? anyPermits() : 1 + random.nextLong(8);
    steps.add(new Step.Spend(time, now(), random.nextInt(NODES), permits));
  }

  private void decide() {
    long permits =
        switch (random.nextInt(8)) {
          case 0 -> limit.capacity();
          case 1 -> limit.capacity() + 1;
          case 2 -> 0;
          case 3, 4 -> 1;
          default -> anyPermits();
        };
    steps.add(new Step.Decide(now(), stepsBack, limit, permits));
  }

  private void await() {
    long patience = anyTime();
    steps.add(new Step.Decide(now(), stepsBack, limit, anyPermits(), patience));
  }

  private void refund() {
    long granted = anyPermits();
    long stamp = Math.max(0, now() - anyTime());
    long unspent = 1 + random.nextLong(granted);
    steps.add(new Step.Refund(now(), stepsBack, limit, unspent, stamp, granted));
  }

  private long anyPermits() {
    long capacity = limit.capacity();
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextLong(capacity);
      case 1 -> 1 + random.nextLong(Math.max(1, capacity / 8));
      case 2 -> Math.max(1, capacity / 4 + random.nextInt(3) - 1);
      default -> 1 + random.nextLong(Math.min(capacity, 3));
    };
  }
}

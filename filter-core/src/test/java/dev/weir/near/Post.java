package dev.weir.near;

import dev.weir.redis.VirtualRedis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * The calls that are on their way to Redis. No call arrives sooner than {@link
 * Latency#LEAST_MICROS} after it was sent. So a call that arrives within that time from now has
 * been sent already. One call to Redis decides all of them, and each caller gets its reply at its
 * own time.
 */
final class Post {

  /** Calls that arrive together. */
  static final class Parcel {

    private final long number;
    private final List<VirtualRedis.Step> steps;
    private List<VirtualRedis.Reply> replies = List.of();

    private Parcel(long number, List<VirtualRedis.Step> steps) {
      this.number = number;
      this.steps = steps;
    }

    long atMicros() {
      return steps.get(0).atMicros();
    }
  }

  private static final Comparator<Parcel> ORDER =
      Comparator.comparingLong(Parcel::atMicros).thenComparingLong(parcel -> parcel.number);

  private final VirtualRedis redis;
  private final Queue<Parcel> underWay = new PriorityQueue<>(ORDER);
  private long count;

  Post(VirtualRedis redis) {
    this.redis = redis;
  }

  /** Sends what is to be done at one time, all of it. */
  Parcel send(List<VirtualRedis.Step> steps) {
    Parcel parcel = new Parcel(count++, steps);
    underWay.add(parcel);
    return parcel;
  }

  /** What a parcel is replied that arrives now. */
  List<VirtualRedis.Reply> arrived(Parcel parcel) {
    if (parcel.replies.isEmpty()) {
      run(parcel.atMicros() + Latency.LEAST_MICROS);
    }
    return parcel.replies;
  }

  private void run(long untilMicros) {
    List<Parcel> parcels = new ArrayList<>();
    List<VirtualRedis.Step> steps = new ArrayList<>();
    while (!underWay.isEmpty() && underWay.element().atMicros() < untilMicros) {
      Parcel next = underWay.remove();
      parcels.add(next);
      steps.addAll(next.steps);
    }
    List<VirtualRedis.Reply> replies = redis.run(steps);
    int from = 0;
    for (Parcel parcel : parcels) {
      parcel.replies = replies.subList(from, from + parcel.steps.size());
      from += parcel.steps.size();
    }
  }
}

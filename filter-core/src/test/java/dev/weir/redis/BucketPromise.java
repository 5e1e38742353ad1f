package dev.weir.redis;

import dev.weir.fixture.Units;
import dev.weir.internal.BucketUnits;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a token bucket admits in any interval: at most the burst, what the rate has paid meanwhile,
 * and what was refunded (P1). Time is the highest time of any clock (P9). If numbers change, the
 * rate and the larger burst in force apply (P13). From a leaky bucket, requests run at least as far
 * apart as their permits flow out, except for rewards in between. It never holds more than its
 * capacity, and no request waits longer than that takes (P5). A waiting request keeps its place,
 * whatever changes ({@link LinePromise}). A client that requests single permits whenever one is due
 * is allowed as often as that permits (P1). Each loss of the state adds no more than a burst, since
 * counting then begins again.
 */
final class BucketPromise implements Promise {

  /** The most units of any bucket. */
  private static final long MOST_UNITS = 1L << 54;

  /**
   * A grant.
   *
   * @param requestedUnits what the rate had paid by then
   * @param runsUnits what it will have paid when it runs
   * @param returned all that was refunded before
   * @param changes how often the numbers had changed before
   */
  private record Grant(
      long requestedUnits, long runsUnits, long permits, Limit limit, long returned, int changes) {}

  @Override
  public void check(List<Replied> answers) {
    new Count().check(answers);
    new LinePromise().check(answers);
    new SaturatedCount().check(answers);
  }

  static long paid(long micros, BucketUnits units) {
    long ticks = micros / units.tickMicros();
    boolean fits = Math.multiplyHigh(ticks, units.p()) == 0 && ticks * units.p() >= 0;
    return fits ? Math.min(MOST_UNITS, ticks * units.p()) : MOST_UNITS;
  }

  /** The count from one loss of the state to the next. */
  private static final class Count extends WrittenSteps {

    private final List<Grant> grants = new ArrayList<>();
    private long units;
    private long returned;
    private @Nullable Limit requested;
    private int changes;

    @Override
    void lost() {
      grants.clear();
    }

    @Override
    void gaveBack(Step.Refund back) {
      returned += back.permits();
    }

    @Override
    void rewarded(Step.Reward reward) {
      returned += reward.permits();
    }

    @Override
    void pass(long now, boolean stepsBack, Limit limit) {
      changes += limit.equals(requested) ? 0 : 1;
      requested = limit;
      long tick = Units.of(limit).tickMicros();
      long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
      units +=
          paid(
              time().at(now / tick * tick, stepsBack ? full : Long.MAX_VALUE / 2), Units.of(limit));
    }

    @Override
    void granted(Step.Decide decide, Replied replied, int i) {
      BucketUnits numbers = Units.of(decide.limit());
      long wait = paid(Math.max(0, replied.reply().stamp() - time().highest()), numbers);
      Grant last =
          new Grant(units, units + wait, decide.permits(), decide.limit(), returned, changes);
      grants.add(last);
      boolean leaks = decide.limit() instanceof LeakyBucket;
      long most = 0;
      long permits = 0;
      for (int from = grants.size() - 1; from >= 0; from--) {
        Grant first = grants.get(from);
        permits += first.permits();
        most = Math.max(most, first.limit().capacity());
        long back = last.returned() - first.returned();
        // a request that waited ran up to a tick later than its permits were there
        long tick = first.runsUnits() > first.requestedUnits() ? numbers.p() : 0;
        boolean same = first.changes() == last.changes();
        long began = same ? first.runsUnits() - tick : first.requestedUnits();
        long runs = last.runsUnits() - began;
        long time = leaks ? units - first.requestedUnits() : runs;
        Promise.require(
            (permits - most - back) * numbers.q() <= Math.max(0, time),
            leaks ? "P5: holds no more" : "P1: admits no more",
            i,
            replied);
        if (leaks && same && from < grants.size() - 1 && back == 0) {
          Promise.require(
              runs >= Math.min(MOST_UNITS, first.permits() * numbers.q()),
              "P5: runs apart",
              i,
              replied);
        }
      }
      if (leaks) {
        long longest = (decide.limit().capacity() - decide.permits()) * numbers.q();
        Promise.require(
            wait == 0 || wait - numbers.p() < longest, "P5: waits no longer", i, replied);
      }
    }
  }

  /** Single permits, requested whenever one is due, starting with a full bucket. */
  private static final class SaturatedCount {

    private boolean saturated = true;
    private long admitted;
    private long start = -1;
    private long due;
    private @Nullable Limit requested;

    void check(List<Replied> answers) {
      for (int i = 0; i < answers.size(); i++) {
        Replied replied = answers.get(i);
        if (replied.step() instanceof Step.Decide decide) {
          decided(decide, replied, i);
        } else {
          saturated = replied.step() instanceof Step.Overwrite lost && lost.state().isEmpty();
          start = -1;
          admitted = 0;
        }
      }
    }

    private void decided(Step.Decide decide, Replied replied, int i) {
      Limit limit = decide.limit();
      long tick = Units.of(limit).tickMicros();
      long now = decide.now() / tick;
      saturated =
          saturated
              && decide.permits() == 1
              && decide.patience() == 0
              && (start < 0
                  || (decide.limit().equals(requested) && decide.now() <= due && now >= start));
      if (!saturated) {
        return;
      }
      start = start < 0 ? now : start;
      requested = limit;
      due = decide.now() + replied.reply().retry();
      admitted += replied.reply().fits() == 1 ? 1 : 0;
      if (replied.reply().fits() == 0) {
        Promise.require(
            admitted + 1 >= least(limit, now - start), "P1: admits no less", i, replied);
      }
    }

    /**
     * Returns the least admitted; a leaky bucket's next request follows a tick after the last
     * flowed out.
     */
    private static long least(Limit limit, long ticks) {
      BucketUnits units = Units.of(limit);
      return limit instanceof LeakyBucket
          ? 1 + ticks / -Math.floorDiv(-units.q(), units.p())
          : limit.capacity() + paid(ticks * units.tickMicros(), units) / units.q();
    }
  }
}

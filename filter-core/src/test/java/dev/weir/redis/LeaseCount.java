package dev.weir.redis;

import dev.weir.fixture.Units;
import dev.weir.internal.BucketUnits;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a bucket and all its leases admit together, in any interval: at most the burst, what the
 * rate has paid meanwhile, and what was refunded (P12). Time is the highest time of the store's
 * clock. Where numbers change, the rate of the request and the larger burst apply.
 *
 * <p>Model. Time is counted in what the rate has paid, in a fraction of a permit that all numbers
 * of the trace share. It is known at each write. What is spent in between was charged before, and
 * needs nothing of what is paid until it is spent. What comes after it may use only what is paid
 * from then on. So an interval that ends with it ends at the last write before it. An interval that
 * begins with it begins at its own instant. A waiting request is admitted when it runs.
 */
final class LeaseCount implements Promise {

  /**
   * Permits that were admitted.
   *
   * @param fromUnits what was paid when an interval begins with it
   * @param toUnits what was paid when an interval ends with it
   * @param returned all that was refunded before
   * @param step of the trace
   */
  private record Admitted(
      long fromUnits, long toUnits, long permits, long burst, long returned, int step) {}

  /** Permits with an instant that no write has reached yet. */
  private record Later(long micros, boolean waits, Admitted admitted) {}

  private static final long MOST_UNITS = 1L << 55;

  private Passing time = new Passing();
  private final List<Admitted> all = new ArrayList<>();
  private final List<Later> later = new ArrayList<>();
  private long permitUnits = 1;
  private long largest;
  private long longestTick;
  private long units;
  private long returned;
  private boolean isFirst = true;

  @Override
  public void check(List<Replied> answers) {
    answers.forEach(this::prepare);
    for (int i = 0; i < answers.size(); i++) {
      Replied replied = answers.get(i);
      if (replied.step() instanceof Step.Overwrite || replied.step() instanceof Step.Reset) {
        requireAll(answers);
        beginAnew(replied);
      } else if (replied.spent() > 0) {
        spent((Step.Spend) replied.step(), replied.spent(), i);
      } else if (replied.isWritten()) {
        written(replied, i);
      }
    }
    requireAll(answers);
  }

  /** Starts a new count; permits that are out after a reset are debt as of then. */
  private void beginAnew(Replied replied) {
    all.clear();
    later.clear();
    time = new Passing();
    isFirst = true;
    if (replied.step() instanceof Step.Reset && !replied.reply().state().isEmpty()) {
      time.at(LeasedState.of(replied.reply().state()).atMicros(), 0);
      isFirst = false;
    }
  }

  private void prepare(Replied replied) {
    if (replied.step() instanceof Step.ByLimit step) {
      BucketUnits numbers = Units.of(step.limit());
      permitUnits = Math.multiplyExact(permitUnits / gcd(permitUnits, numbers.q()), numbers.q());
      largest = Math.max(largest, step.limit().capacity());
    }
  }

  private static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }

  private void spent(Step.Spend spend, long permits, int i) {
    Admitted admitted = new Admitted(units, units, permits, largest, returned, i);
    all.add(admitted);
    if (!isFirst && spend.now() > time.highest()) {
      later.add(new Later(spend.now(), false, admitted));
    }
  }

  private void written(Replied replied, int i) {
    if (!(replied.step() instanceof Step.ByLimit step)) {
      return; // a block
    }
    Limit limit = step.limit();
    pass(step.now(), step.stepsBack(), limit);
    if (step instanceof Step.Refund back) {
      returned += back.permits();
    } else if (step instanceof Step.Reward reward) {
      returned += reward.permits();
    } else if (step instanceof Step.Decide decide && replied.isGrant()) {
      long wait = Math.max(0, replied.reply().stamp() - Math.max(time.highest(), decide.now()));
      long runs = units + inTime(wait, Units.of(limit));
      Admitted admitted = new Admitted(runs, runs, decide.permits(), limit.capacity(), returned, i);
      if (wait > 0) {
        later.add(new Later(replied.reply().stamp(), true, admitted));
      } else {
        all.add(admitted);
      }
    }
  }

  private void pass(long now, boolean stepsBack, Limit limit) {
    BucketUnits numbers = Units.of(limit);
    long tick = numbers.tickMicros();
    long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
    long before = isFirst ? now / tick * tick : time.highest();
    isFirst = false;
    longestTick = Math.max(longestTick, inTime(tick, numbers));
    long passed = time.at(now / tick * tick, stepsBack ? full : Long.MAX_VALUE / 2);
    long jump = before - time.highest();
    if (jump > 0) {
      later.removeIf(each -> !each.waits());
      later.replaceAll(each -> new Later(each.micros() - jump, true, each.admitted()));
    }
    for (Later each : List.copyOf(later)) {
      long micros = each.micros() / tick * tick;
      if (micros <= time.highest()) {
        later.remove(each);
        happened(each, units + inTime(Math.max(0, micros - before), numbers));
      }
    }
    units += inTime(passed, numbers);
  }

  private void happened(Later each, long atUnits) {
    Admitted known = each.admitted();
    if (each.waits()) {
      // it ran by the rate of its request, and up to a tick later than its permits were there
      long from = Math.min(atUnits, known.fromUnits()) - longestTick;
      long to = Math.max(atUnits, known.toUnits());
      all.add(new Admitted(from, to, known.permits(), known.burst(), returned, known.step()));
      return;
    }
    int place = all.indexOf(known);
    if (place >= 0) {
      all.set(
          place,
          new Admitted(
              atUnits,
              known.toUnits(),
              known.permits(),
              known.burst(),
              known.returned(),
              known.step()));
    }
  }

  private long inTime(long micros, BucketUnits numbers) {
    long paid = BucketPromise.paid(micros, numbers);
    long factor = permitUnits / numbers.q();
    return paid > MOST_UNITS / factor ? MOST_UNITS : paid * factor;
  }

  private void requireAll(List<Replied> answers) {
    for (int to = 0; to < all.size(); to++) {
      requireAllUntil(to, answers);
    }
  }

  private void requireAllUntil(int to, List<Replied> answers) {
    Admitted last = all.get(to);
    long permits = 0;
    long burst = 0;
    for (int from = to; from >= 0; from--) {
      Admitted first = all.get(from);
      permits += first.permits();
      burst = Math.max(burst, first.burst());
      long over = permits - burst - (last.returned() - first.returned());
      long time = Math.max(0, last.toUnits() - first.fromUnits());
      Promise.require(
          over <= 0 || over <= time / permitUnits,
          "P12: all together admit no more, from step " + first.step(),
          last.step(),
          answers.get(last.step()));
    }
  }
}

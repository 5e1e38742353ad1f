package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.FixedWindow.FirstRequestWindow;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The local window against a model of its own: every answer of random traces is the model's. */
class LocalWindowModelTest {

  private static final int TRACES = 300;
  private static final int OPERATIONS = 200;
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  /** Counts in a window that starts on the first request, or on the hour, and what it owes. */
  private static final class Model {
    private final long quota;
    private final long lengthNanos;
    private final boolean onTheHour;
    private final PromiseModel promise = new PromiseModel();
    private long used;

    /** How much of it the window has started with. */
    private long carried;

    /** How much of it later windows start with. */
    private long owed;

    private long debtWindow = Long.MIN_VALUE;
    private long endNanos = Long.MIN_VALUE;

    Model(long quota, long lengthNanos, boolean onTheHour) {
      this.quota = quota;
      this.lengthNanos = lengthNanos;
      this.onTheHour = onTheHour;
    }

    void at(long nanos) {
      while (endNanos != Long.MIN_VALUE && nanos >= endNanos) {
        end();
      }
    }

    /** Ends the window. The next one starts with what is owed, of which it pays its quota. */
    private void end() {
      used = owed;
      carried = owed;
      owed = Math.max(0, owed - quota);
      endNanos = used == 0 ? Long.MIN_VALUE : endNanos + lengthNanos;
    }

    private Model copy() {
      Model copy = new Model(quota, lengthNanos, onTheHour);
      copy.used = used;
      copy.carried = carried;
      copy.owed = owed;
      copy.endNanos = endNanos;
      return copy;
    }

    /** Returns how long a request waits, by ending one window after the other. */
    long wait(long permits, long nanos) {
      Model later = copy();
      long wait = 0;
      while (!later.fits(permits)) {
        wait = later.endNanos - nanos;
        later.end();
      }
      if (permits <= quota) {
        return wait;
      }
      Model paid = copy();
      long paidWait = 0;
      while (paid.used > quota) {
        paidWait = paid.endNanos - nanos;
        paid.end();
      }
      return promise.wait(wait, paidWait, nanos);
    }

    private boolean fits(long permits) {
      return permits <= quota ? used + permits <= quota : used == carried && used < quota;
    }

    void deny(long permits, long nanos, long timeToFull) {
      if (permits > quota) {
        promise.denied(wait(permits, nanos), timeToFull, nanos);
      }
    }

    boolean take(long permits, long nanos) {
      if (wait(permits, nanos) > 0) {
        return false;
      }
      if (permits > quota) {
        promise.passed();
      }
      if (endNanos == Long.MIN_VALUE) {
        endNanos = onTheHour ? (nanos / HOUR_NANOS + 1) * HOUR_NANOS : nanos + lengthNanos;
      }
      used += permits;
      if (used > quota) {
        owed = used - quota;
        debtWindow = window();
      }
      return true;
    }

    /** Returns what names the window in use: the microsecond in which it ends. */
    long window() {
      return Math.floorDiv(endNanos, 1_000);
    }

    void refund(long permits, long toWindow) {
      if (toWindow == window()) {
        reward(permits);
      } else if (toWindow == debtWindow) {
        reward(Math.min(permits, carried));
      }
    }

    /** Returns how many were given back. A window of which all was given back has ended. */
    long reward(long permits) {
      long back = Math.min(permits, used);
      used -= back;
      owed = Math.min(owed, Math.max(0, used - quota));
      carried = Math.min(carried, used);
      if (used == 0) {
        endNanos = Long.MIN_VALUE;
      }
      return back;
    }

    long nanosLeft(long nanos) {
      return endNanos == Long.MIN_VALUE ? 0 : endNanos - nanos;
    }

    long nanosUntilUnused(long nanos) {
      Model later = copy();
      long wait = 0;
      while (later.used > 0) {
        wait = later.endNanos - nanos;
        later.end();
      }
      return wait;
    }
  }

  private record Granted(Decision.Counted decision, long window, long permits, long nanos) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_120, 0x5eed_f00d})
  void every_answer_is_the_models(long seed) {
    ModelTraces.each(TRACES, seed, LocalWindowModelTest::follow);
  }

  private static void follow(SplittableRandom random, String trace) {
    ManualTime time = new ManualTime();
    long startNanos = time.nanoTime();
    long startDate = time.instant().getEpochSecond() * 1_000_000_000L;
    boolean onTheHour = random.nextBoolean();
    long lengthNanos = onTheHour ? HOUR_NANOS : 1_000 * (1 + random.nextLong(10_000_000));
    long quota = 1 + random.nextLong(1L << random.nextInt(50));
    FixedWindow limit =
        new FixedWindow(
            quota,
            onTheHour
                ? new CalendarWindow(CalendarWindow.Unit.HOUR, ZoneOffset.UTC)
                : new FirstRequestWindow(Duration.ofNanos(lengthNanos)));
    int nodes = 1 + random.nextInt(3);
    long part = Math.max(1, quota / nodes);
    LocalLimitStore store =
        LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
    Model model = new Model(part, lengthNanos, onTheHour);
    Counter counter = new Counter("limit", limit, Subject.of("model"));
    boolean rewards = random.nextBoolean();
    boolean dear = random.nextBoolean();
    long rewarded = 0;
    Deque<Granted> grants = new ArrayDeque<>();
    List<Granted> kept = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      String step = trace + ", step " + i + ": " + limit + " by " + nodes;
      long now = startDate + time.nanoTime() - startNanos;
      model.at(now);
      switch (random.nextInt(7)) {
        case 0 -> time.advance(Duration.ofNanos(random.nextLong(lengthNanos)));
        case 1 ->
            time.advance(Duration.ofNanos(Math.max(0, model.nanosLeft(now) - random.nextInt(2))));
        case 3 -> {
          if (rewards) {
            long permits = random.nextInt(4) == 0 ? Long.MAX_VALUE : 1 + random.nextLong(part);
            AcquireRequests.adjust(store, new Adjustment.Reward(counter, permits));
            rewarded += model.reward(permits);
          }
        }
        case 2 -> {
          if (!grants.isEmpty()) {
            Granted back = random.nextBoolean() ? grants.removeLast() : grants.removeFirst();
            kept.remove(back);
            AcquireRequests.refund(store, back.decision());
            model.refund(back.permits(), back.window());
          }
        }
        default -> {
          long permits =
              dear && random.nextInt(4) == 0
                  ? 1 + random.nextLong(quota)
                  : 1 + random.nextLong(1 + (part >> random.nextInt(8)));
          Charge charge = new Charge(counter, permits);
          Decision.Counted decision = AcquireRequests.decide(store, charge);
          check(decision, model, permits, now, step);
          if (decision.allowed()) {
            Granted granted = new Granted(decision, model.window(), permits, now);
            grants.add(granted);
            kept.add(granted);
          }
        }
      }
    }
    if (model.debtWindow == Long.MIN_VALUE) {
      checkIntervals(kept, 2 * part + rewarded, lengthNanos, trace);
    }
  }

  private static void check(
      Decision.Counted decision, Model model, long permits, long now, String step) {
    Verdict verdict = decision.binding();
    Limit limit = decision.binding().counter().limit();
    long wait = model.wait(permits, now);
    if (permits > limit.capacity()) {
      assertThat(verdict.retry()).as(step).isEqualTo(Retry.NEVER);
    } else if (model.take(permits, now)) {
      assertThat(verdict.retry()).as(step).isEqualTo(Retry.NOW);
    } else {
      assertThat(verdict.retry()).as(step).isEqualTo(new Retry.After(Duration.ofNanos(wait)));
      model.deny(permits, now, limit.timeToFull().toNanos());
    }
    assertThat(verdict.remaining()).as(step).isEqualTo(Math.max(0, model.quota - model.used));
    assertThat(verdict.resetAfter().toNanos()).as(step).isEqualTo(model.nanosUntilUnused(now));
  }

  /** What was not given back: at most twice the quota, and rewards, in the length of a window. */
  private static void checkIntervals(List<Granted> kept, long most, long lengthNanos, String as) {
    for (int from = 0; from < kept.size(); from++) {
      long sum = 0;
      for (int to = from;
          to < kept.size() && kept.get(to).nanos() - kept.get(from).nanos() < lengthNanos;
          to++) {
        sum += kept.get(to).permits();
      }
      assertThat(sum).as(as).isLessThanOrEqualTo(most);
    }
  }
}

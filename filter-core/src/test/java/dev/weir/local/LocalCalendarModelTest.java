package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A window of the calendar, in process, while the calendar is set. It ends when the calendar says
 * so, or when it has lasted its time and the calendar is in another window.
 */
class LocalCalendarModelTest {

  private static final int TRACES = 300;
  private static final int OPERATIONS = 100;
  private static final FixedWindow LIMIT = (FixedWindow) Limit.parse("9 per hour window UTC");
  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_122, 0x5eed_f00d})
  void every_answer_is_the_models(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int trace = 0; trace < TRACES; trace++) {
      new Trace(random.split(), "seed " + seed + ", trace " + trace).follow();
    }
  }

  private static final class Trace {
    private final SplittableRandom random;
    private final String name;
    private final ManualTime time = new ManualTime();
    private final LocalLimitStore store =
        LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
    private long used;
    private Instant end = Instant.MIN;
    private long lastsUntilNanos;

    Trace(SplittableRandom random, String name) {
      this.random = random;
      this.name = name;
    }

    void follow() {
      for (int i = 0; i < OPERATIONS; i++) {
        pass();
        decide(1 + random.nextLong(4), name + ", step " + i);
      }
    }

    private void pass() {
      long left = Math.max(0, Math.min(2 * HOUR_NANOS, left()));
      switch (random.nextInt(10)) {
        case 0 -> time.setDate(time.instant().plusNanos(random.nextLong(4 * HOUR_NANOS)));
        case 1, 2 -> time.setDate(time.instant().minusNanos(random.nextLong(4 * HOUR_NANOS)));
        case 3 -> time.setDate(nextHour().minusNanos(random.nextInt(2)));
        case 4, 5 -> time.advance(Duration.ofNanos(left));
        case 6 -> time.advance(Duration.ofNanos(Math.max(0, left - 1)));
        default -> time.advance(Duration.ofNanos(random.nextLong(HOUR_NANOS / 4)));
      }
    }

    private Instant nextHour() {
      return time.instant().truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
    }

    private boolean isInUse() {
      boolean isAhead = time.instant().isBefore(end);
      boolean lasts = time.nanoTime() < lastsUntilNanos;
      return used > 0 && isAhead && (lasts || nextHour().equals(end));
    }

    /** Until it has lasted its time or, where that is over, until the calendar says so. */
    private long left() {
      if (used == 0) {
        return 0;
      }
      long byCalendar = time.instant().until(end, ChronoUnit.NANOS);
      long lasts = lastsUntilNanos - time.nanoTime();
      return lasts > 0 ? Math.min(lasts, byCalendar) : byCalendar;
    }

    private void decide(long permits, String step) {
      if (!isInUse()) {
        used = 0;
      }
      Decision.Counted decision =
          AcquireRequests.decide(
              store, new Charge(new Counter("limit", LIMIT, Subject.of("model")), permits));
      assertThat(decision.allowed()).as(step).isEqualTo(used + permits <= LIMIT.quota());
      if (decision.allowed()) {
        if (used == 0) {
          end = nextHour();
          lastsUntilNanos = time.nanoTime() + time.instant().until(end, ChronoUnit.NANOS);
        }
        used += permits;
      }
      assertThat(decision.binding().remaining()).as(step).isEqualTo(LIMIT.quota() - used);
      assertThat(decision.binding().resetAfter().toNanos()).as(step).isEqualTo(left());
    }
  }
}

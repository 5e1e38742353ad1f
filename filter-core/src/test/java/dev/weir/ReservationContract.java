package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.Spending;
import dev.weir.fixture.StoreUnderTest;
import dev.weir.limit.Limit;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What every store promises of reservations, over generated traces of reserving, committing with
 * less and with more than was reserved, cancelling and abandoning, which is what a crash does: what
 * is charged is, after every step and to the permit, what was committed, what is still reserved and
 * what was abandoned, less what time has brought back.
 */
public abstract class ReservationContract extends StoreUnderTest {

  private static final int STEPS = 120;
  private static final Duration TICK = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A reservation that has not ended, and its part of the account. */
  private record Live(Reservation reservation, Spending.Item item) {}

  /** The clock of the store, which only {@link ManualTime#advance} moves. */
  protected final ManualTime time = new ManualTime();

  private long now;

  /** Sub-windows are counted from 1970, in process from the ticker's zero: one begins now. */
  protected ReservationContract() {
    time.advance(Duration.ofNanos(-time.nanoTime()));
    time.setDate(Instant.parse("2026-11-20T10:00:00Z"));
  }

  /** How many traces of each limit there is time for. */
  protected abstract int traces();

  /** Returns the model of a window in this store. */
  protected ReservationModel window() {
    return new ReservationModel.Window();
  }

  @Test
  void a_bucket_has_charged_what_was_committed_reserved_or_abandoned_and_is_not_repaid()
      throws StoreUnavailableException {
    trace("1 per minute, burst 50", ReservationModel.Bucket::new);
  }

  @Test
  void a_window_has_charged_what_was_committed_reserved_or_abandoned_in_it()
      throws StoreUnavailableException {
    trace("50 per 50m window", this::window);
  }

  @Test
  void a_sliding_window_has_charged_what_was_committed_reserved_or_abandoned_in_it()
      throws StoreUnavailableException {
    trace("50 per 50m sliding", ReservationModel.Sliding::new);
  }

  private void trace(String limit, Supplier<ReservationModel> model)
      throws StoreUnavailableException {
    for (int seed = 0; seed < traces(); seed++) {
      new Trace(Limit.parse(limit), model.get(), seed).run();
    }
  }

  private void advance(long ticks) {
    time.advance(TICK.multipliedBy(ticks));
    now += ticks;
  }

  /** One counter's life. */
  private final class Trace {
    private final String seed;
    private final SplittableRandom random;
    private final Subject subject;
    private final TokenLimiter limiter;
    private final ReservationModel model;
    private final List<Live> live = new ArrayList<>();

    Trace(Limit limit, ReservationModel model, int seed) {
      this.seed = limit + ", seed " + seed;
      random = new SplittableRandom(seed);
      subject = Subject.of("trace", alice + this.seed);
      limiter = new TokenLimiter(LimiterCore.of("traced", limit, store).within(PATIENCE));
      this.model = model;
    }

    void run() throws StoreUnavailableException {
      for (int step = 0; step < STEPS; step++) {
        String where = seed + ", step " + step + ": " + act();
        long left = Math.max(0, ReservationModel.CAPACITY - model.charged(now));
        assertThat(counted(limiter.peek(subject)).binding().remaining()).as(where).isEqualTo(left);
      }
      advance(100_000);
      assertThat(counted(limiter.peek(subject)).binding().remaining())
          .as("%s: in the end, whatever was abandoned", seed)
          .isEqualTo(ReservationModel.CAPACITY);
    }

    private String act() throws StoreUnavailableException {
      int kind = random.nextInt(10);
      if (kind < 3) {
        long ticks = random.nextInt(random.nextInt(1, 40));
        advance(ticks);
        return ticks + " ticks";
      }
      if (kind < 6 || live.isEmpty()) {
        return reserve(random.nextLong(1, 21));
      }
      Live one = live.remove(random.nextInt(live.size()));
      if (kind == 6) {
        return "abandoned " + one.item.permits();
      }
      if (kind == 7) {
        one.reservation.cancel();
        return settled(one, 0);
      }
      long spent = random.nextLong(kind == 8 ? one.item.permits() + 1 : 60);
      one.reservation.commit(spent);
      return settled(one, spent);
    }

    private String reserve(long permits) {
      String what = "reserved " + permits;
      Reservation reservation = limiter.reserve(subject, permits);
      Decision.Counted decision = counted(reservation.decision());
      boolean fits = model.charged(now) + permits <= ReservationModel.CAPACITY;
      assertThat(decision.allowed()).as("%s: %s", seed, what).isEqualTo(fits);
      if (fits) {
        live.add(new Live(reservation, model.charge(now, permits)));
        requireKeptOverEveryInterval();
      } else {
        assertThat(AcquireRequests.retryAfter(decision))
            .as("%s: %s", seed, what)
            .isEqualTo(TICK.multipliedBy(model.wait(now, permits)));
      }
      return what;
    }

    private String settled(Live one, long spent) {
      String what = "spent " + spent + " of " + one.item.permits();
      long beyond = spent - one.item.permits();
      if (beyond > 0) {
        model.charge(now, beyond);
      } else {
        model.settle(now, one.item, spent);
      }
      return what;
    }

    /** Of the intervals that end now: those that begin with something that was spent. */
    private void requireKeptOverEveryInterval() {
      for (Spending.Item first : model.spending().items()) {
        assertThat(model.spending().since(first.at))
            .as("%s: spent since %d, now %d", seed, first.at, now)
            .isLessThanOrEqualTo(model.most(now - first.at));
      }
    }
  }

  private static Decision.Counted counted(Decision decision) {
    return (Decision.Counted) decision;
  }
}

package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Full;
import dev.weir.fixture.ManualTime;
import dev.weir.fixture.SideBySide;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A process reserves and commits over two limits, and crashes. It crashes at every request that it
 * sends to Redis, before Redis has it and after. It loses its connection alone, or dies. The
 * charges in Redis are then compared, through an undisturbed store, with what the process knew.
 */
@SideBySide
class CrashedReservationTest {

  private static final Limit BUCKET = Limit.parse("1 per second, burst 100");
  private static final Limit WINDOW = Limit.parse("80 per hour window");
  private static final String MARK = ":crashed-";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ManualTime time = new ManualTime();
  private final Cutter cutter = new Cutter(MARK);

  @Test
  void whatever_request_a_crash_comes_at_nothing_is_granted_twice_and_time_brings_all_back() {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        CuttingProxy proxy = cutter.before(server.port())) {
      String uri = "redis://127.0.0.1:" + proxy.port();
      assertThat(crashEverywhere(uri, server.uri())).isEqualTo(8);
    }
  }

  @Test
  @Full
  void so_it_is_in_a_cluster_between_the_calls_of_one_decision_and_of_one_commit() {
    try (RedisServers cluster =
        RedisServers.cluster(RedisVersion.newest(), 2, port -> cutter.before(port).port())) {
      // a denied reservation refunds, and peeks at the other counter
      assertThat(crashEverywhere(cluster.uri(), cluster.uri())).isEqualTo(7 * 2 + 4);
    } finally {
      cutter.close();
    }
  }

  /** Returns how many requests there are to crash at. */
  private int crashEverywhere(String uri, String witnessUri) {
    try (LimitStore witness = connect(witnessUri)) {
      new Life(uri, witness, null).live(); // the scripts are known from now on
      new Life(uri, witness, null).live();
      int requests = cutter.requests();
      for (int request = 1; request <= requests; request++) {
        for (Cut.Where where : Cut.Where.values()) {
          for (Cut.Who who : Cut.Who.values()) {
            new Life(uri, witness, new Cut(request, where, who)).live();
            assertThat(cutter.hasCut()).isTrue();
          }
        }
      }
      return requests;
    }
  }

  private LimitStore connect(String uri) {
    RedisOptions options =
        RedisOptions.of(uri, "crash").withClock(RedisOptions.Clock.NODE).withDeadline(PATIENCE);
    return RedisLimitStore.connect(options, LimiterListener.NONE, time::instant);
  }

  /** A process, from its first reservation to its last. */
  private final class Life {
    private final String uri;
    private final LimitStore witness;
    private final @Nullable Cut cut;
    private final Subject inFirstHalf = subject(0, 8_191);
    private final Subject inSecondHalf = subject(8_192, 16_383);

    /** The least and the most that can be charged, by what the process knows. */
    private long least;

    private long most;

    Life(String uri, LimitStore witness, @Nullable Cut cut) {
      this.uri = uri;
      this.witness = witness;
      this.cut = cut;
    }

    void live() {
      try (LimitStore store = connect(uri)) {
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> canBeRequested(store));
        cutter.arm(cut);
        reserveAndCommit(store);
      } catch (StoreUnavailableException died) {
        assertThat(cut).isNotNull();
      } finally {
        cutter.disarm();
      }
      for (Charge charge : charges(1)) {
        long capacity = charge.counter().limit().capacity();
        assertThat(capacity - remaining(charge)).as("%s", cut).isBetween(least, most);
      }
      time.advance(Duration.ofHours(1));
      for (Charge charge : charges(1)) {
        assertThat(remaining(charge)).isEqualTo(charge.counter().limit().capacity());
      }
    }

    private void reserveAndCommit(LimitStore store) throws StoreUnavailableException {
      commit(store, reserve(store, 30), 30, 12);
      commit(store, reserve(store, 20), 20, 45);
      commit(store, reserve(store, 30), 30, 30); // the window is too small for it
      cancel(store, reserve(store, 20), 20);
      reserve(store, 10); // and never ends it
    }

    private Optional<Receipt> reserve(LimitStore store, long permits)
        throws StoreUnavailableException {
      boolean wasCut = cutter.hasCut();
      try {
        Decision.Counted decision =
            (Decision.Counted) store.decide(AcquireRequests.request(charges(permits)));
        if (!decision.allowed()) {
          most += wasCut == cutter.hasCut() ? 0 : permits; // its refund may be lost
          return Optional.empty();
        }
        least += permits;
        most += permits;
        return Optional.of(decision.receipt());
      } catch (StoreUnavailableException unknown) {
        most += permits;
        dieOrLive(unknown);
        return Optional.empty();
      }
    }

    private void commit(LimitStore store, Optional<Receipt> receipt, long permits, long spent)
        throws StoreUnavailableException {
      if (receipt.isPresent()) {
        adjust(store, new Adjustment.Reconcile(receipt.get(), spent), spent - permits);
      }
    }

    private void cancel(LimitStore store, Optional<Receipt> receipt, long permits)
        throws StoreUnavailableException {
      if (receipt.isPresent()) {
        adjust(store, new Adjustment.Refund(receipt.get()), -permits);
      }
    }

    /** Counts an adjustment that is lost on its way as spent, and no more. */
    private void adjust(LimitStore store, Adjustment adjustment, long more)
        throws StoreUnavailableException {
      try {
        store.adjust(adjustment, Deadline.after(PATIENCE));
        least += more;
        most += more;
      } catch (StoreUnavailableException unknown) {
        least += Math.min(0, more);
        most += Math.max(0, more);
        dieOrLive(unknown);
      }
    }

    private void dieOrLive(StoreUnavailableException lost) throws StoreUnavailableException {
      if (cut == null || cut.who() == Cut.Who.DIES) {
        throw lost;
      }
    }

    private Charge[] charges(long permits) {
      return new Charge[] {
        new Charge(new Counter("crashed-bucket", BUCKET, inFirstHalf), permits),
        new Charge(new Counter("crashed-window", WINDOW, inSecondHalf), permits)
      };
    }

    /** Asks as soon as the witness can: a cut takes its connections as well. */
    private long remaining(Charge charge) {
      Awaitility.await().until(() -> canBeRequested(witness));
      return AcquireRequests.peek(witness, charge).binding().remaining();
    }

    private boolean canBeRequested(LimitStore store) {
      try {
        store.decide(AcquireRequests.request(Mode.PEEK, charges(1)));
        return true;
      } catch (StoreUnavailableException notYet) {
        return false;
      }
    }
  }

  private static Subject subject(int fromSlot, int toSlot) {
    RedisKeys keys = new RedisKeys("crash", Optional.empty());
    while (true) {
      Subject subject = Subject.of("user", UUID.randomUUID().toString());
      int slot = RedisKeys.slot(keys.key(new Counter("any", BUCKET, subject)));
      if (fromSlot <= slot && slot <= toSlot) {
        return subject;
      }
    }
  }
}

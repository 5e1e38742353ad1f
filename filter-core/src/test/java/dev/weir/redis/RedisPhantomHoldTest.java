package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Permits of a decision with an unread answer are released long before their ttl ends. */
class RedisPhantomHoldTest {

  private static final Duration DEADLINE = Duration.ofMillis(200);
  private static final Charge HELD =
      charge("phantom-held", "3 concurrent, ttl 1h", Subject.of("a"), 2);
  private static final Charge SPENT = charge("phantom-spent", "10 per 30 days", Subject.of("a"), 1);

  @Test
  void a_decision_whose_reply_is_lost_holds_nothing_for_long() {
    Cutter cutter = new Cutter("phantom-held");
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        CuttingProxy proxy = cutter.before(server.port());
        LimitStore store = connect("redis://127.0.0.1:" + proxy.port());
        LimitStore witness = connect(server.uri())) {
      for (Charge[] charges : new Charge[][] {{HELD}, {SPENT, HELD}}) {
        begin(store, charges);
        cutter.arm(new Cut(1, Cut.Where.BEFORE_THE_REPLY_IS_READ, Cut.Who.LIVES));
        assertThat(decides(store, charges)).isFalse();
        assertThat(cutter.hasCut()).isTrue();
        awaitNothingHeld(witness);
      }
    }
  }

  @Test
  void nor_does_one_that_redis_makes_when_its_caller_has_gone() {
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        LimitStore store = connect(server.uri());
        LimitStore witness = connect(server.uri())) {
      begin(store, HELD);
      server.freeze();
      assertThat(decides(store, HELD)).isFalse();
      server.thaw();
      awaitNothingHeld(witness);
    }
  }

  private static LimitStore connect(String uri) {
    return RedisLimitStore.connect(
        RedisOptions.of(uri, "phantom").withDeadline(DEADLINE), LimiterListener.NONE);
  }

  private static boolean decides(LimitStore store, Charge... charges) {
    try {
      store.decide(new AcquireRequest(List.of(charges), OnOutage.DENY, Deadline.after(DEADLINE)));
      return true;
    } catch (StoreUnavailableException silent) {
      return false;
    }
  }

  /** Loads the script, so that its next call is the one that acquires permits. */
  private static void begin(LimitStore store, Charge... charges) {
    Awaitility.await().until(() -> decides(store, SPENT));
    AcquireRequests.refund(store, AcquireRequests.decide(store, charges));
  }

  private static void awaitNothingHeld(LimitStore witness) {
    Awaitility.await().until(() -> AcquireRequests.peek(witness, HELD).binding().remaining() == 3);
  }
}

package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Decisions of three slots in a cluster so distant that the deadline allows few round trips. */
class FarClusterTest {

  private static final Duration ROUND_TRIP = Duration.ofMillis(26);
  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final int DENIALS = 40;

  private final List<Process> proxies = new ArrayList<>();

  @AfterEach
  void stop() {
    proxies.forEach(Process::destroyForcibly);
  }

  @Test
  void a_denial_charges_no_other_subject_however_little_time_is_left() throws Exception {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3, this::farAway);
        RedisLimitStore store = connect(cluster.uri(), DEADLINE);
        RedisLimitStore patient = connect(cluster.uri(), Duration.ofSeconds(5))) {
      List<Charge> charges = chargesInOrderOfSlots();
      Charge exhausted = charges.get(2);
      Awaitility.await().until(() -> Load.decides(store) && Load.decides(patient));
      assertThat(AcquireRequests.decide(patient, all(exhausted, 10)).allowed()).isTrue();

      int denied = 0;
      for (int tries = 0; denied < DENIALS && tries < 4 * DENIALS; tries++) {
        denied += isDenied(store, charges) ? 1 : 0;
      }
      assertThat(denied).isEqualTo(DENIALS);
      Awaitility.await()
          .untilAsserted(
              () -> {
                for (Charge other : charges.subList(0, 2)) {
                  assertThat(AcquireRequests.remaining(AcquireRequests.peek(patient, other)))
                      .containsExactly(10L);
                }
              });
    }
  }

  /**
   * Returns charges in the order of their slots. The exhausted one is last, so that the others were
   * charged before.
   */
  private static List<Charge> chargesInOrderOfSlots() {
    return IntStream.range(0, 3)
        .mapToObj(ClusterUnderTest::subjectOn)
        .sorted(Comparator.comparing(ClusterUnderTest::slotOf))
        .map(FarClusterTest::one)
        .toList();
  }

  private static Charge one(Subject subject) {
    return charge("far", ClusterUnderTest.LIMIT, subject, 1);
  }

  private static Charge all(Charge charge, long permits) {
    return new Charge(charge.counter(), permits);
  }

  private static boolean isDenied(RedisLimitStore store, List<Charge> charges) {
    try {
      Decision decision =
          store.decide(new AcquireRequest(charges, OnOutage.LOCAL, Deadline.after(DEADLINE)));
      assertThat(decision.allowed()).isFalse();
      return true;
    } catch (StoreUnavailableException late) {
      return false;
    }
  }

  private static RedisLimitStore connect(String uri, Duration deadline) {
    RedisOptions options = RedisOptions.of(uri, "clustered").withDeadline(deadline);
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }

  /** Returns the port of a proxy in front of this one. */
  private int farAway(int port) {
    try {
      Process proxy = FarRedis.proxy(port, ROUND_TRIP);
      proxies.add(proxy);
      return Integer.parseInt(proxy.inputReader().readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Alone;
import dev.weir.fixture.Full;
import dev.weir.fixture.TestRun;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** A slot on its way to another primary, one key after the other. */
@Full
@Alone
class RedisSlotMoveTest extends ClusterUnderTest {

  private static final int KEYS_MOVED = 40;
  private static final int THREADS = 8;
  private static final long MOVE_NANOS = TestRun.pick(2, 10) * 1_000_000_000L;
  private static final long PERMITS = 1_000_000;

  private final Subject moving = subjectOn(0);
  private final AtomicIntegerArray charged = new AtomicIntegerArray(KEYS_MOVED);
  private final LongAdder requested = new LongAdder();
  private final LongAdder undecided = new LongAdder();
  private final AtomicBoolean isOver = new AtomicBoolean();

  @Test
  void nearly_all_decisions_of_one_and_of_two_limits_are_made_in_redis_and_none_twice()
      throws Exception {
    for (int i = 0; i < KEYS_MOVED; i += 2) {
      count(decide(store, limit(i)), i);
    }
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t;
      threads.add(new Thread(() -> load(first, System.nanoTime() + 10 * MOVE_NANOS)));
    }
    threads.forEach(Thread::start);
    try {
      move();
    } finally {
      isOver.set(true);
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(requested.sum()).isGreaterThan(1_000);
    assertThat(undecided.sum()).isLessThan(requested.sum() / 100);
    for (int i = 0; i < KEYS_MOVED; i++) {
      assertThat(AcquireRequests.peek(store, limit(i)).binding().remaining())
          .as("permits of limit %d, of which each decision has taken one", i)
          .isEqualTo(PERMITS - charged.get(i));
    }
    assertThat(received.switches).isEmpty();
    assertThat(received.errors).isEmpty();
  }

  /** The refund is redirected too, and sent again in the background. */
  @Test
  void a_denial_of_one_limit_does_not_charge_the_other_for_long() {
    Charge full = charge("full", "1 per 30 days", moving, 1);
    Charge fits = limit(1);
    decide(store, full);
    beginMove(moving);
    for (List<Charge> order : List.of(List.of(full, fits), List.of(fits, full))) {
      Decision.Counted denied = decide(store, order.toArray(new Charge[0]));
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.limitName()).hasValue("full");
      assertThat(denied.verdicts()).hasSize(2);
    }
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(AcquireRequests.peek(store, fits).binding().remaining())
                    .isEqualTo(PERMITS));
  }

  @Test
  void what_was_granted_of_two_limits_is_refunded_where_their_keys_are() {
    Decision.Counted granted = decide(store, limit(0), limit(1));
    beginMove(moving);
    moveKey(0);
    AcquireRequests.refund(store, granted);
    assertThat(AcquireRequests.remaining(AcquireRequests.peek(store, limit(0), limit(1))))
        .containsExactly(PERMITS, PERMITS);
  }

  @Test
  void what_is_held_of_two_limits_is_renewed_and_released_where_their_keys_are() {
    Charge one = charge("one", "1 concurrent, ttl 1h", moving, 1);
    Charge other = charge("other", "1 concurrent, ttl 1h", moving, 1);
    Decision.Counted held = decide(store, one, other);
    beginMove(moving);
    moveKey(KEYS.key(one.counter()));
    assertThat(AcquireRequests.renew(store, held)).isTrue();
    AcquireRequests.refund(store, held);
    assertThat(decide(store, one, other).allowed()).isTrue();
  }

  private Charge limit(int number) {
    return charge("limit" + number, PERMITS + " per 30 days window", moving, 1);
  }

  /** Decides over one and over two limits in turn. */
  private void load(int first, long untilNanos) {
    for (int i = first; !isOver.get() && System.nanoTime() - untilNanos < 0; i++) {
      int one = i % KEYS_MOVED;
      int other = (i * 7 + 3) % KEYS_MOVED;
      boolean isPair = i % 2 == 0 && one != other;
      AcquireRequest request = isPair ? request(limit(one), limit(other)) : request(limit(one));
      requested.increment();
      try {
        Decision.Counted decision = (Decision.Counted) store.decide(request);
        count(decision, one);
        if (isPair) {
          count(decision, other);
        }
      } catch (StoreUnavailableException e) {
        undecided.increment();
      }
    }
  }

  private void count(Decision decision, int limit) {
    if (decision.allowed()) {
      charged.incrementAndGet(limit);
    }
  }

  private void move() {
    beginMove(moving);
    long startNanos = System.nanoTime();
    List<String> keys =
        IntStream.range(0, KEYS_MOVED).mapToObj(i -> KEYS.key(limit(i).counter())).toList();
    for (int i = 0; i < KEYS_MOVED; i++) {
      load(i, startNanos + MOVE_NANOS * (i + 1) / KEYS_MOVED); // this thread too
      moveKey(keys.get(i));
    }
    endMove(moving);
  }

  private void moveKey(int limit) {
    moveKey(KEYS.key(limit(limit).counter()));
  }

  private void moveKey(String key) {
    try (Jedis from = cluster.get(0).client()) {
      from.migrate("127.0.0.1", cluster.get(1).port(), key, 0, 5_000);
    }
  }
}

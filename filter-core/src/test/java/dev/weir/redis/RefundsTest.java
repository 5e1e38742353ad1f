package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.BlockedLog;
import dev.weir.fixture.LogCapture;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.client.OutcomeUnknownException;
import dev.weir.redis.internal.client.Reports;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is adjusted in the background, how often, and how much of it may wait. */
class RefundsTest {

  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final String SLOW = "10 per 30 days";

  private final Reports reports = new Reports(LimiterListener.NONE);
  private final Refunds refunds = new Refunds(PAUSE, reports);

  @AfterEach
  void close() {
    refunds.close();
  }

  /** A Redis that replies to each call as this test requires. */
  private static final class Replies implements Refunds.Sender {

    private final Iterator<String> next;
    private final AtomicInteger calls = new AtomicInteger();
    private final Queue<Long> settled = new ConcurrentLinkedQueue<>();

    Replies(String... replies) {
      next = List.of(replies).iterator();
    }

    @Override
    public long send(Grant granted, OptionalLong spent, Deadline due)
        throws StoreUnavailableException {
      calls.incrementAndGet();
      if (!isFound(next.next())) {
        return 0;
      }
      spent.ifPresent(settled::add);
      return 1;
    }

    private static boolean isFound(String reply) throws StoreUnavailableException {
      if (reply.equals("silent")) {
        throw new StoreUnavailableException(
            "silent", Kind.OUTAGE, Duration.ZERO, new OutcomeUnknownException("silent"));
      }
      if (reply.equals("unsent")) {
        throw new StoreUnavailableException(
            "unsent",
            Kind.OVERLOADED,
            Duration.ZERO,
            new NotSentException("full", Kind.OVERLOADED));
      }
      return reply.equals("found");
    }
  }

  private static Grant granted(String limit) {
    return new Grant(AcquireRequests.charge("any", limit, Subject.global(), 1), 7);
  }

  private static List<Grant> held(String ttl) {
    return List.of(granted("1 concurrent, ttl " + ttl));
  }

  private int callsFor(List<Grant> grants, String... replies) {
    Replies redis = new Replies(replies);
    refunds.start(redis);
    refunds.add(grants);
    Awaitility.await().until(() -> refunds.waiting() == 0);
    return redis.calls.get();
  }

  @Test
  void held_permits_are_released_until_they_are_found() {
    assertThat(callsFor(held("1h"), "silent", "unsent", "none", "found", "found")).isEqualTo(4);
  }

  @Test
  void or_until_Redis_has_twice_replied_that_they_are_not_there() {
    assertThat(callsFor(held("1h"), "none", "silent", "none", "found")).isEqualTo(3);
  }

  /** Some 17 of these attempts are made within the ttl, and the next ones 166 and 332 ms apart. */
  @Test
  void however_long_Redis_stalls_and_less_often_once_they_would_have_expired() {
    String[] replies = new String[22];
    Arrays.fill(replies, "silent");
    replies[21] = "found";
    long beganNanos = System.nanoTime();
    assertThat(callsFor(held("1s"), replies)).isEqualTo(22);
    Duration took = Duration.ofNanos(System.nanoTime() - beganNanos);
    assertThat(took).isGreaterThan(Duration.ofMillis(1_600));
  }

  @Test
  void consumed_permits_are_refunded_until_the_call_may_have_been_sent() {
    assertThat(callsFor(List.of(granted(SLOW)), "unsent", "unsent", "found", "found")).isEqualTo(3);
    assertThat(callsFor(List.of(granted(SLOW)), "unsent", "silent", "found")).isEqualTo(2);
  }

  @Test
  void a_settlement_that_could_not_be_sent_is_sent_later_and_once() {
    Replies redis = new Replies("unsent", "unsent", "found", "found", "found");
    refunds.start(redis);
    refunds.addReconcile(List.of(granted(SLOW)), 100);
    Awaitility.await().until(() -> refunds.waiting() == 0);
    assertThat(redis.settled).containsExactly(100L);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void further_ones_than_may_wait_are_not_accepted_and_reported() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    refunds.start(
        (granted, spent, due) -> {
          awaitQuietly(first);
          return done.incrementAndGet();
        });
    try (LogCapture log = new LogCapture(RedisLimitStore.class)) {
      for (int i = 0; i < Refunds.MOST_WAITING; i++) {
        assertThat(refunds.add(held("1h"))).isTrue();
      }
      for (int i = 0; i < 3; i++) {
        assertThat(refunds.add(held("1h"))).isFalse();
      }
      assertThat(refunds.add(List.of(granted(SLOW)))).as("refunds beside releases").isTrue();
      reports.close();
      assertThat(log.records())
          .extracting(record -> record.getParameters()[0])
          .containsExactly(1L, 2L);
    }
    first.countDown();
    Awaitility.await().until(() -> refunds.waiting() == 0);
    assertThat(done).hasValue(Refunds.MOST_WAITING + 1);
    refunds.close();
    assertThat(refunds.add(held("1h"))).isFalse();
    refunds.join(5_000);
    assertThat(done).hasValue(Refunds.MOST_WAITING + 1);
  }

  @Test
  void a_log_that_blocks_delays_no_thread_that_loses_a_refund() {
    refunds.close();
    try (BlockedLog log = new BlockedLog(RedisLimitStore.class)) {
      CompletableFuture<Boolean> isAccepted =
          CompletableFuture.supplyAsync(() -> refunds.add(List.of(granted(SLOW))));
      assertThat(log.isReached()).isTrue();
      assertThat(isAccepted).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
    }
  }

  @Test
  void what_waits_when_the_store_closes_is_reported() {
    try (LogCapture log = new LogCapture(RedisLimitStore.class)) {
      refunds.add(List.of(granted(SLOW), granted(SLOW), granted(SLOW)));
      refunds.close();
      reports.close();
      assertThat(log.records()).extracting(record -> record.getParameters()[0]).containsExactly(3L);
    }
  }

  @Test
  void what_is_owed_is_tried_for_as_long_as_it_would_be_owed_but_no_longer_than_a_day() {
    Grant granted = granted("10 per second");
    Duration recovery = granted.charge().counter().limit().timeToFull();
    assertThat(Refunds.debt(granted, 1)).isEqualTo(recovery);
    assertThat(Refunds.debt(granted, 1_000)).isEqualTo(recovery.multipliedBy(1_000));
    assertThat(Refunds.debt(granted, Long.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
    assertThat(Refunds.debt(granted(SLOW), 1_000)).isEqualTo(Duration.ofDays(30));
  }
}

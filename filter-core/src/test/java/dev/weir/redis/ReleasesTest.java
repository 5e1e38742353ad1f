package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Asks;
import dev.weir.LimiterListener;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import dev.weir.Subject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What may be held is released until that has come to something, and not without end. */
class ReleasesTest {

  private static final Duration PAUSE = Duration.ofMillis(1);

  @Test
  void what_was_found_is_not_sought_again() {
    assertThat(tries("1h", "silent", "silent", "none", "found", "found")).isEqualTo(4);
  }

  @Test
  void what_redis_has_twice_said_not_to_have_is_not_sought_again() {
    assertThat(tries("1h", "none", "silent", "none", "found")).isEqualTo(3);
  }

  @Test
  void what_has_ended_by_itself_is_not_sought_again() {
    String[] silent = new String[100_000];
    Arrays.fill(silent, "silent");
    assertThat(tries("1s", silent)).isBetween(2, 100);
  }

  /** How often one is tried, while Redis answers so. */
  private static int tries(String lease, String... answers) {
    Iterator<String> next = List.of(answers).iterator();
    AtomicInteger tries = new AtomicInteger();
    Releases releases =
        new Releases(
            held -> {
              tries.incrementAndGet();
              return isFound(next.next());
            },
            PAUSE,
            LimiterListener.NONE);
    releases.add(held(lease));
    Awaitility.await().until(() -> releases.waiting() == 0);
    releases.close();
    return tries.get();
  }

  private static boolean isFound(String answer) throws StoreUnavailableException {
    if (answer.equals("silent")) {
      throw new StoreUnavailableException("silent", Duration.ZERO, null);
    }
    return answer.equals("found");
  }

  @Test
  void no_more_wait_than_are_allowed_and_the_others_are_dropped() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    Releases slow =
        new Releases(
            held -> {
              awaitQuietly(first);
              return done.incrementAndGet() > 0;
            },
            PAUSE,
            LimiterListener.NONE);
    for (int i = 0; i < 3 * Releases.MOST_WAITING; i++) {
      slow.add(held("1h"));
    }
    slow.add(List.of());
    first.countDown();
    Awaitility.await().until(() -> done.get() == Releases.MOST_WAITING);
    slow.add(held("1h"));
    Awaitility.await().until(() -> done.get() == 1 + Releases.MOST_WAITING);
    slow.close();
    slow.add(held("1h"));
    slow.join(5_000);
    assertThat(done).hasValue(1 + Releases.MOST_WAITING);
  }

  private static List<Grant> held(String lease) {
    return List.of(
        new Grant(Asks.charge("held", "1 concurrent, lease " + lease, Subject.global(), 1), 7));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

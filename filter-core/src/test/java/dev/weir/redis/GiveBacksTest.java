package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Give-backs wait for their turn, and not without end. */
class GiveBacksTest {

  @Test
  void no_more_wait_than_are_allowed_and_the_others_are_dropped() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    GiveBacks giveBacks =
        new GiveBacks(
            grants -> {
              awaitQuietly(first);
              done.incrementAndGet();
            });
    for (int i = 0; i < 3 * GiveBacks.MOST_WAITING; i++) {
      giveBacks.add(List.of());
    }
    first.countDown();
    Awaitility.await().until(() -> done.get() == 1 + GiveBacks.MOST_WAITING);
    giveBacks.close();
    giveBacks.add(List.of());
    giveBacks.join(5_000);
    assertThat(done).hasValue(1 + GiveBacks.MOST_WAITING);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.Reports;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long calls wait for the first result, and how often it is refreshed. */
class TopologyRefresherTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final Recorder heard = new Recorder();
  private final AtomicBoolean well = new AtomicBoolean(true);
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable TopologyRefresher refresher;

  @AfterEach
  void close() {
    end.countDown();
    if (refresher != null) {
      refresher.close();
    }
  }

  @Test
  void a_first_look_that_hangs_keeps_one_waiter_and_no_other() {
    TopologyRefresher hanging = start(this::hang);
    assertRefused(hanging, Duration.ofMillis(50));
    long beganNanos = System.nanoTime();
    assertRefused(hanging, LONG);
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void a_look_that_fails_in_whatever_way_keeps_nobody() {
    TopologyRefresher failing =
        start(
            () -> {
              throw new NumberFormatException("no port");
            });
    Awaitility.await().until(() -> !heard.switches.isEmpty());
    assertRefused(failing, LONG);
    assertThat(heard.texts).first().asString().contains("no port");
  }

  @Test
  void refreshing_soon_again_and_again_leaves_it_a_rest() {
    AtomicInteger looks = new AtomicInteger();
    TopologyRefresher asked =
        start(
            () -> {
              looks.incrementAndGet();
              refreshOften();
            });
    long beganNanos = System.nanoTime();
    while (looks.get() < 4) {
      asked.refreshSoon();
      Thread.onSpinWait();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
        .isGreaterThan(Duration.ofMillis(190));
  }

  @Test
  void refreshing_soon_makes_it_refresh_often_until_all_is_well() {
    AtomicInteger looks = new AtomicInteger();
    TopologyRefresher asked = start(looks::incrementAndGet);
    Awaitility.await().until(() -> looks.get() == 1);
    well.set(false);
    asked.refreshSoon();
    Awaitility.await().until(() -> looks.get() >= 4);
  }

  @Test
  void what_comes_after_a_refresh_keeps_no_waiter() throws StoreUnavailableException {
    start(() -> {}, this::hang).await(Deadline.after(LONG));
  }

  private TopologyRefresher start(Runnable look) {
    return start(look, () -> {});
  }

  private TopologyRefresher start(Runnable look, Runnable afterwards) {
    TopologyRefresher started =
        new TopologyRefresher("test", look, afterwards, well::get, LONG, new Reports(heard));
    refresher = started;
    started.start();
    return started;
  }

  private void refreshOften() {
    if (refresher != null) {
      refresher.refreshSoon();
    }
  }

  private void hang() {
    try {
      end.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static void assertRefused(TopologyRefresher refresher, Duration within) {
    assertThatThrownBy(() -> refresher.await(Deadline.after(within)))
        .isInstanceOf(StoreUnavailableException.class);
  }
}

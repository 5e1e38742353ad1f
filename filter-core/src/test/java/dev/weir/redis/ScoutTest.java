package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long requests wait for the first find, and how often is looked. */
class ScoutTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final Recorder heard = new Recorder();
  private final AtomicBoolean well = new AtomicBoolean(true);
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable Scout scout;

  @AfterEach
  void close() {
    end.countDown();
    if (scout != null) {
      scout.close();
    }
  }

  @Test
  void a_first_look_that_hangs_keeps_one_waiter_and_no_other() {
    Scout hanging = start(this::hang);
    assertRefused(hanging, Duration.ofMillis(50));
    long beganNanos = System.nanoTime();
    assertRefused(hanging, LONG);
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void a_look_that_fails_in_whatever_way_keeps_nobody() {
    Scout failing =
        start(
            () -> {
              throw new NumberFormatException("no port");
            });
    Awaitility.await().until(() -> !heard.switches.isEmpty());
    assertRefused(failing, LONG);
    assertThat(heard.texts).first().asString().contains("no port");
  }

  @Test
  void nudges_do_not_make_it_look_without_rest() {
    AtomicInteger looks = new AtomicInteger();
    Scout nudged =
        start(
            () -> {
              looks.incrementAndGet();
              nudge();
            });
    long beganNanos = System.nanoTime();
    while (looks.get() < 4) {
      nudged.nudge();
      Thread.onSpinWait();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
        .isGreaterThan(Duration.ofMillis(190));
  }

  @Test
  void a_nudge_makes_it_look_often_until_all_is_well() {
    AtomicInteger looks = new AtomicInteger();
    Scout nudged = start(looks::incrementAndGet);
    Awaitility.await().until(() -> looks.get() == 1);
    well.set(false);
    nudged.nudge();
    Awaitility.await().until(() -> looks.get() >= 4);
  }

  private Scout start(Runnable look) {
    Scout started = new Scout("test", look, well::get, LONG, new Reports(heard));
    scout = started;
    started.start();
    return started;
  }

  private void nudge() {
    if (scout != null) {
      scout.nudge();
    }
  }

  private void hang() {
    try {
      end.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static void assertRefused(Scout scout, Duration within) {
    assertThatThrownBy(() -> scout.await(Deadline.after(within)))
        .isInstanceOf(StoreUnavailableException.class);
  }
}

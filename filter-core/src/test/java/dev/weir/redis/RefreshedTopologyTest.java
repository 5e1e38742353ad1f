package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long calls wait for the first result, and how often it is refreshed. */
class RefreshedTopologyTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String URI = "redis-cluster://127.0.0.1:1";

  private final Recorder received = new Recorder();
  private final AtomicBoolean well = new AtomicBoolean(true);
  private final CountDownLatch end = new CountDownLatch(1);
  private final PrimariesUnderTest primaries = new PrimariesUnderTest();
  private final Refunds refunds = PrimariesUnderTest.refunds(LONG);
  private @Nullable Refreshing refreshing;

  @AfterEach
  void close() {
    end.countDown();
    if (refreshing != null) {
      refreshing.close();
    }
    refunds.close();
    primaries.close();
  }

  /** A topology of no primaries, whose refreshes are those of a test. */
  private final class Refreshing extends RefreshedTopology {

    private final Runnable refresh;
    private final Runnable afterwards;
    private volatile @Nullable String known;

    Refreshing(Runnable refresh, Runnable afterwards) {
      super(
          RedisUri.parse(URI),
          primaries.settings(URI, LONG, refunds, received, () -> {}),
          primaries.probes(),
          LONG,
          1,
          "weir-redis-test-polls");
      this.refresh = refresh;
      this.afterwards = afterwards;
    }

    @Override
    public int slot(String key) {
      return 0;
    }

    @Override
    void refresh() {
      refresh.run();
      known = "found";
    }

    @Override
    void refreshed() {
      afterwards.run();
    }

    String await(Duration within) throws StoreUnavailableException {
      return found(() -> known, probes.anywhere(), Deadline.after(within));
    }

    @Override
    public boolean isHealthy() {
      return well.get();
    }

    @Override
    public List<PrimaryClient> clients() {
      return List.of();
    }

    @Override
    @Nullable PrimaryClient client(int slot) {
      return null;
    }

    @Override
    public List<Long> call(int slot, ScriptCall call, Deadline deadline) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void a_first_look_that_hangs_keeps_one_waiter_and_no_other() {
    Refreshing hanging = start(this::hang);
    assertRefused(hanging, Duration.ofMillis(50));
    long beganNanos = System.nanoTime();
    assertRefused(hanging, LONG);
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void a_look_that_fails_in_whatever_way_keeps_nobody() {
    Refreshing failing =
        start(
            () -> {
              throw new NumberFormatException("no port");
            });
    Awaitility.await().until(() -> !received.switches.isEmpty());
    assertRefused(failing, LONG);
    assertThat(received.texts).first().asString().contains("no port");
  }

  @Test
  void refreshing_soon_again_and_again_leaves_it_a_rest() {
    AtomicInteger refreshes = new AtomicInteger();
    Refreshing requested =
        start(
            () -> {
              refreshes.incrementAndGet();
              refreshOften();
            });
    long beganNanos = System.nanoTime();
    while (refreshes.get() < 4) {
      requested.refreshes.runSoon();
      Thread.onSpinWait();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
        .isGreaterThan(Duration.ofMillis(190));
  }

  @Test
  void refreshing_soon_makes_it_refresh_often_until_all_is_well() {
    AtomicInteger refreshes = new AtomicInteger();
    Refreshing requested = start(refreshes::incrementAndGet);
    Awaitility.await().until(() -> refreshes.get() == 1);
    well.set(false);
    requested.refreshes.runSoon();
    Awaitility.await().until(() -> refreshes.get() >= 4);
  }

  @Test
  void what_comes_after_a_refresh_keeps_no_waiter() throws StoreUnavailableException {
    assertThat(start(() -> {}, this::hang).await(LONG)).isEqualTo("found");
  }

  private Refreshing start(Runnable refresh) {
    return start(refresh, () -> {});
  }

  private Refreshing start(Runnable refresh, Runnable afterwards) {
    Refreshing started = new Refreshing(refresh, afterwards);
    refreshing = started;
    started.refreshes.start();
    return started;
  }

  private void refreshOften() {
    if (refreshing != null) {
      refreshing.refreshes.runSoon();
    }
  }

  private void hang() {
    try {
      end.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static void assertRefused(Refreshing refreshing, Duration within) {
    assertThatThrownBy(() -> refreshing.await(within))
        .isInstanceOf(StoreUnavailableException.class);
  }
}

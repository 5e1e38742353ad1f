package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.internal.store.Scheduler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications that share the library do not wait for one another's Redis. */
class StartingTogetherTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private volatile Thread opener = new Thread();

  @Test
  void who_waits_for_redis_holds_no_lock_of_the_registry() throws IOException {
    Registry registry = new Registry(FakeVariables.EMPTY);
    // it takes connections and answers nothing
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      ThreadInfo waiting =
          await()
              .atMost(SOON)
              .pollInterval(Duration.ofMillis(5))
              .until(() -> seenWaiting(registry, silent), Optional::isPresent)
              .orElseThrow();
      assertThat(Stream.of(waiting.getLockedMonitors()).map(MonitorInfo::getClassName))
          .doesNotContain(Registry.class.getName());
      await().atMost(SOON).until(() -> !opener.isAlive());
    }
  }

  @Test
  void who_stops_what_was_refused_holds_no_lock_of_the_registry(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("weir.yaml");
    Files.writeString(file, "rules: [{ name: all, match: /**, limits: 1 per hour }]");
    List<Boolean> locked = new ArrayList<>();
    Closing pollers = new Closing(locked);
    Registry registry = new Registry(FakeVariables.EMPTY, () -> pollers);
    pollers.registry = registry;
    ClassLoader application = Weirs.application();
    try (Weir provider = registry.join(Weirs.initParams(application, Map.of()))) {
      provider.bind(RuleReference.of("Orders.list", "missing"));
      WeirSource filter = Weirs.initParams(application, Map.of("config", file.toString()));
      assertThatThrownBy(() -> registry.open(filter)).isInstanceOf(ConfigurationException.class);
    }
    assertThat(locked).containsExactly(false);
  }

  /** Records whether it is closed under the lock of the registry. */
  private static final class Closing implements Scheduler {

    private final List<Boolean> locked;
    private Object registry = this;

    Closing(List<Boolean> locked) {
      this.locked = locked;
    }

    @Override
    public Pending in(Duration delay, Runnable task) {
      return Pending.NONE;
    }

    @Override
    public void close() {
      locked.add(Thread.holdsLock(registry));
    }
  }

  /** Opens once more if the last one has come and gone between two checks. */
  private Optional<ThreadInfo> seenWaiting(Registry registry, ServerSocket silent) {
    if (!opener.isAlive()) {
      opener = new Thread(() -> open(registry, silent.getLocalPort()));
      opener.start();
    }
    return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(true, false))
        .filter(thread -> thread.getThreadId() == opener.getId())
        .filter(StartingTogetherTest::waitsForRedis)
        .findFirst();
  }

  private static boolean waitsForRedis(ThreadInfo thread) {
    return Stream.of(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("awaitAnswer"));
  }

  private static void open(Registry registry, int port) {
    String yaml =
        """
        application: shop
        redis: redis://127.0.0.1:%d
        rules: [{ name: all, match: /**, limits: 1000 per hour }]
        """
            .formatted(port);
    registry.open(Weirs.webInf(yaml, Weirs.application())).close();
  }
}

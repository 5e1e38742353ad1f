package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However the demo ends, nothing of it stays behind. */
@Full
class ShutdownIT {

  private static final long SIGINT_BIT = 1L << 1;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void a_signal_ends_all_of_it(String signal) throws IOException {
    assumeThat(signal.equals("INT") && isInterruptIgnored())
        .as("SIGINT is ignored in this process, and so in every child of it")
        .isFalse();
    try (DemoProcess demo = DemoProcess.start()) {
      List<ProcessHandle> children = demo.children();
      assertThat(children).as("Redis and its watch").hasSizeGreaterThanOrEqualTo(2);
      demo.signal(signal);
      demo.exitCode();
      assertAllEnd(children);
      assertThat(demo.leftovers()).isEmpty();
    }
  }

  @Test
  void a_frozen_redis_ends_too() throws IOException {
    try (DemoProcess demo = DemoProcess.start()) {
      List<ProcessHandle> children = demo.children();
      assertThat(demo.control(0, "/freeze").body()).contains("FROZEN");
      demo.signal("TERM");
      demo.exitCode();
      assertAllEnd(children);
    }
  }

  @Test
  void redis_ends_even_when_the_jvm_is_killed() throws IOException {
    try (DemoProcess demo = DemoProcess.start()) {
      List<ProcessHandle> children = demo.children();
      demo.signal("KILL");
      demo.exitCode();
      assertAllEnd(children);
    }
  }

  private static void assertAllEnd(List<ProcessHandle> children) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(children).noneMatch(ProcessHandle::isAlive));
  }

  /** As in what a shell starts in the background: a child cannot change it. */
  private static boolean isInterruptIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .anyMatch(line -> (Long.parseLong(line.substring(7).strip(), 16) & SIGINT_BIT) != 0);
  }
}

package dev.weir.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.fixture.Full;
import dev.weir.fixture.Jdk;
import dev.weir.fixture.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** 256 virtual threads share one connection, on the newest available JDK. */
@SuppressWarnings("SystemOut") // the figures are this test's result
@Full
@Timeout(120)
class VirtualCallersTest {

  private static final int VIRTUAL_THREADS_SINCE = 21;
  private static final int PINS_NOWHERE_SINCE = 24;
  private static final Duration COUNTED = Duration.ofSeconds(5);

  /** The promise is the deadline and 20 ms; a shared machine may be late by itself. */
  private static final long LATEST_MILLIS = 400;

  @SuppressWarnings("NullAway.Init") // found before each test
  private Jdk jdk;

  @BeforeEach
  void find() {
    Optional<Jdk> newest = Jdk.newest(VIRTUAL_THREADS_SINCE);
    assumeTrue(newest.isPresent(), "no JDK has virtual threads");
    jdk = newest.orElseThrow();
  }

  private final RedisServer server = RedisServer.start(RedisVersion.newest());

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void an_interrupt_of_one_in_a_hundred_fails_no_other_call_and_closes_no_connection()
      throws IOException {
    try (Callers callers = new Callers("100", 100)) {
      Set<String> before = connections("");
      Set<String> deciding = connections("cmd=evalsha");
      Callers.pass(COUNTED);
      // one that a slow start has dialled in reserve ends when it was not needed
      assertThat(connections("")).isSubsetOf(before).containsAll(deciding);
      assertThat(deciding).isNotEmpty();
      String counted = callers.end();
      assertThat(figure(counted, "interrupts")).isPositive();
      assertThat(figure(counted, "failed")).isZero();
      assertThat(figure(counted, "decided")).isGreaterThan(figure(counted, "interrupts"));
      if (jdk.version().feature() >= PINS_NOWHERE_SINCE) {
        assertThat(figure(counted, "pinned")).isZero();
      }
    }
  }

  @Test
  void a_Redis_that_is_frozen_keeps_none_of_them_beyond_the_deadline_and_returns_in_3_seconds()
      throws IOException {
    try (Callers callers = new Callers("0", 100)) {
      server.freeze();
      Callers.pass(Duration.ofSeconds(1));
      server.thaw();
      long before = server.calls("evalsha");
      Awaitility.await()
          .atMost(Duration.ofSeconds(3))
          .until(() -> server.calls("evalsha") > before + 100);
      String counted = callers.end();
      assertThat(figure(counted, "failed")).isPositive();
      assertThat(figure(counted, "slowestMillis")).isLessThan(LATEST_MILLIS);
    }
  }

  @Test
  void a_call_with_less_time_than_the_store_ends_in_its_time() throws IOException {
    int longerThanItStandsStill = 5_000;
    try (Callers callers = new Callers("0", longerThanItStandsStill)) {
      server.freeze();
      Callers.pass(Duration.ofSeconds(1));
      server.thaw();
      String counted = callers.end();
      assertThat(figure(counted, "failed")).isPositive();
      assertThat(figure(counted, "slowestMillis")).isLessThan(LATEST_MILLIS);
    }
  }

  /** Returns the connections of the store that Redis lists with this text, by their ids. */
  private Set<String> connections(String with) {
    try (Jedis redis = server.client()) {
      return redis
          .clientList()
          .lines()
          .filter(client -> !client.contains("cmd=client") && client.contains(with))
          .map(client -> client.replaceFirst(" .*", ""))
          .collect(Collectors.toSet());
    }
  }

  private static long figure(String text, String name) {
    Matcher figure = Pattern.compile(name + "=([0-9]+)").matcher(text);
    assertThat(figure.find()).as("%s in %s", name, text).isTrue();
    return Long.parseLong(figure.group(1));
  }

  /** The process of {@link VirtualCallers}, when it counts. */
  private final class Callers implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    Callers(String interruptedOneIn, int deadlineMillis) throws IOException {
      process =
          Jvm.startOn(
              jdk.home(),
              VirtualCallers.class,
              List.of(server.uri(), interruptedOneIn, String.valueOf(deadlineMillis)));
      output = process.inputReader(UTF_8);
      awaitLine("ready");
      order();
      awaitLine("counting");
    }

    private void awaitLine(String expected) throws IOException {
      String line = output.readLine();
      while (line != null && !line.equals(expected)) {
        line = output.readLine();
      }
      assertThat(line).isEqualTo(expected);
    }

    private void order() throws IOException {
      OutputStream orders = process.getOutputStream();
      orders.write('\n');
      orders.flush();
    }

    static void pass(Duration time) {
      Awaitility.await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
    }

    String end() throws IOException {
      order();
      String counted = output.readLine();
      System.out.println("256 virtual threads on " + jdk + ": " + counted);
      return counted;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}

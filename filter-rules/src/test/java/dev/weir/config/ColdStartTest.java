package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.fixture.Jvm;
import dev.weir.redis.RedisServers;
import dev.weir.redis.RedisVersion;
import dev.weir.redis.ServersByScheme;
import dev.weir.redis.TlsFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The first requests of a process that has just begun are decided in Redis, however it is found.
 */
@SuppressWarnings("SystemOut") // the figures are this test's result
@Full
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ColdStartTest {

  /** For each kind of Redis, one after the other. */
  private static final int PROCESSES = 5;

  private static final int AT_ONCE = 3;

  /**
   * @param connected the number of primaries that were connected when Weir was open
   * @param decided the number of requests that Redis has decided, of 100
   */
  private record Start(int connected, int decided) {}

  /** Each kind of Redis, by the scheme of its URI. */
  private final Map<String, RedisServers> servers = new LinkedHashMap<>();

  @SuppressWarnings("NullAway.Init") // generated before all tests
  private TlsFiles files;

  @BeforeAll
  void open() throws IOException {
    files = TlsFiles.ofThisMachine();
    schemes().forEach(this::startServers);
  }

  private void startServers(String scheme) {
    servers.put(scheme, ServersByScheme.start(scheme, RedisVersion.newest(), files));
  }

  @AfterAll
  void close() throws IOException {
    servers.values().forEach(RedisServers::close);
    files.close();
  }

  static Stream<String> schemes() {
    return ServersByScheme.schemes();
  }

  @Test
  void of_the_first_100_requests_to_each_of_30_processes_2997_of_3000_are_decided_in_Redis()
      throws IOException {
    Map<String, List<Integer>> decided = new LinkedHashMap<>();
    for (String scheme : schemes().toList()) {
      List<Integer> ofScheme = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        ofScheme.add(start(List.of(scheme)).get(0).decided());
      }
      decided.put(scheme, ofScheme);
    }
    System.out.printf("cold starts: decided in Redis %s%n", decided);
    assertThat(decided.values().stream().flatMap(List::stream).mapToInt(Integer::intValue).sum())
        .as("%s", decided)
        .isGreaterThanOrEqualTo(2_997);
  }

  /** The processes make the load: each needs a whole processor to start. */
  @ParameterizedTest
  @MethodSource("schemesAtOnce")
  void on_a_busy_machine_each_process_is_connected_to_all_primaries_before_its_first_request(
      List<String> schemes) throws IOException {
    List<Start> starts = start(schemes);
    System.out.printf("cold starts at once, %s: %s%n", schemes, starts);
    assertThat(starts)
        .extracting(Start::connected)
        .isEqualTo(schemes.stream().map(ColdStartTest::primaries).toList());
  }

  /** Returns several kinds at a time, each of them twice and beside others. */
  static Stream<List<String>> schemesAtOnce() {
    List<String> all = schemes().toList();
    int kinds = all.size();
    return IntStream.range(0, 2 * kinds / AT_ONCE)
        .mapToObj(
            round ->
                IntStream.range(0, AT_ONCE)
                    .mapToObj(i -> all.get((round + i * kinds / AT_ONCE) % kinds))
                    .toList());
  }

  private static int primaries(String scheme) {
    return scheme.endsWith("cluster") ? 3 : 1;
  }

  /** Starts a process for each of these at once, and waits for all of them. */
  private List<Start> start(List<String> schemes) throws IOException {
    List<Process> processes = new ArrayList<>();
    try {
      for (String scheme : schemes) {
        processes.add(Jvm.start(ColdNode.class, arguments(scheme)));
      }
      List<Start> starts = new ArrayList<>();
      for (Process process : processes) {
        starts.add(read(process));
      }
      return starts;
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private List<String> arguments(String scheme) {
    List<String> arguments =
        new ArrayList<>(List.of(Objects.requireNonNull(servers.get(scheme)).uri()));
    files.trustProperties().forEach((name, value) -> arguments.addAll(List.of(name, value)));
    return arguments;
  }

  private static Start read(Process process) throws IOException {
    try (BufferedReader output = process.inputReader()) {
      String[] numbers = output.readLine().split(" ", -1);
      return new Start(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }
  }
}

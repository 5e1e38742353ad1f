package dev.weir.conservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Full;
import dev.weir.Jvm;
import dev.weir.redis.RedisServers;
import dev.weir.redis.RedisVersion;
import dev.weir.redis.ServersByScheme;
import dev.weir.redis.TlsFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

  private static final int PROCESSES = 20;
  private static final int AT_ONCE = 3;

  /**
   * @param connected the number of primaries that were connected when Weir was open
   * @param decided the number of requests that Redis has decided, of 100
   */
  private record Start(int connected, int decided) {}

  @SuppressWarnings("NullAway.Init") // generated before all tests
  private TlsFiles files;

  @BeforeAll
  void generate() throws IOException {
    files = TlsFiles.ofThisMachine();
  }

  @AfterAll
  void delete() throws IOException {
    files.close();
  }

  @ParameterizedTest
  @MethodSource("dev.weir.redis.ServersByScheme#schemes")
  void of_the_first_100_requests_to_each_of_20_processes_1998_of_2000_are_decided_in_Redis(
      String scheme) throws IOException {
    List<Integer> decided = new ArrayList<>();
    try (RedisServers servers = ServersByScheme.start(scheme, RedisVersion.newest(), files)) {
      for (int i = 0; i < PROCESSES; i++) {
        decided.add(start(servers, 1).get(0).decided());
      }
    }
    System.out.printf("cold starts, %s: decided in Redis %s%n", scheme, decided);
    assertThat(decided.stream().mapToInt(Integer::intValue).sum()).isGreaterThanOrEqualTo(1_998);
  }

  /** The processes make the load: each needs a whole processor to start. */
  @ParameterizedTest
  @MethodSource("dev.weir.redis.ServersByScheme#schemes")
  void on_a_busy_machine_each_process_is_connected_to_all_primaries_before_its_first_request(
      String scheme) throws IOException {
    int primaries = scheme.endsWith("cluster") ? 3 : 1;
    try (RedisServers servers = ServersByScheme.start(scheme, RedisVersion.newest(), files)) {
      List<Start> starts = start(servers, AT_ONCE);
      System.out.printf("cold starts at once, %s: %s%n", scheme, starts);
      assertThat(starts).extracting(Start::connected).containsOnly(primaries);
    }
  }

  /** Starts this number of processes at once, and waits for all of them. */
  private List<Start> start(RedisServers servers, int atOnce) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(servers.uri()));
    files.trustProperties().forEach((name, value) -> arguments.addAll(List.of(name, value)));
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < atOnce; i++) {
        processes.add(Jvm.start(ColdNode.class, arguments));
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

  private static Start read(Process process) throws IOException {
    try (BufferedReader output = process.inputReader()) {
      String[] numbers = output.readLine().split(" ", -1);
      return new Start(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }
  }
}

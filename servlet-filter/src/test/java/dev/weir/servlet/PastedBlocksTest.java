package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.fixture.Documents;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/**
 * Every block of the documents that is for a shell or for Redis runs as it is pasted, in bash. The
 * programs that it calls are real ones. They only get the address of the server of this test.
 */
class PastedBlocksTest {

  private static final List<String> DOCUMENTS = Documents.userPages();

  /** Blocks that are only parsed, by their beginning, and why. */
  private static final Map<String, String> NOT_RUN =
      Map.of(
          "mvn -q -DskipTests package && java -jar", "builds everything, and the demo never ends",
          "mvn -q -Pjava8 -DskipTests install",
              "builds for minutes, as Java8JarIT does in the gate",
          "java -jar weir-cli.jar", "DocumentedCommandsTest runs them",
          "CATALINA_OPTS=", "JmxExporterTest runs the agent with this file",
          "for i in 1 2 3 4 5; do curl -s -b jar", "needs an application with a login");

  /** Blocks that a test of this class runs, by their beginning. */
  private static final String ACL = "redis-cli ACL SETUSER";

  private static final String LIFT = "redis-cli --scan --pattern 'shop:*s:ban:";

  private static final String CURL = "for i in 1 2 3 4 5; do curl -s -o";

  private static final String DIGEST = "printf %s test | sha256sum";

  private static final List<String> COMMANDS =
      List.of("mvn ", "java ", "curl ", "redis-cli", "ACL ", "CONFIG ", "export ", "docker ");

  private final Path scratch;

  PastedBlocksTest(@TempDir Path scratch) {
    this.scratch = scratch;
  }

  static Stream<String> shellBlocks() {
    return DOCUMENTS.stream()
        .filter(document -> !document.startsWith("docs/start/")) // run by ExamplesIT
        .flatMap(document -> Documents.fenced(document).stream())
        .filter(block -> block.language().equals("sh"))
        .map(Documents.Block::text);
  }

  @ParameterizedTest
  @MethodSource("shellBlocks")
  void each_shell_block_is_run_below_or_has_a_reason_not_to_be(String block) throws Exception {
    boolean isRun = Stream.of(ACL, LIFT, CURL, DIGEST).anyMatch(block::startsWith);
    boolean isExcluded = NOT_RUN.keySet().stream().anyMatch(block::startsWith);
    assertThat(isRun || isExcluded).as("known: " + block).isTrue();
    assertThat(bash("-n", script(block))).as("parsed by bash").isEmpty();
  }

  @Test
  void commands_are_marked_as_such() {
    for (String document : DOCUMENTS) {
      assertThat(Documents.fenced(document))
          .filteredOn(block -> !block.language().equals("sh"))
          .noneMatch(block -> COMMANDS.stream().anyMatch(block.text()::startsWith));
    }
  }

  @Test
  void the_user_for_Redis_is_created_as_pasted() throws Exception {
    assumePresent("redis-cli");
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client()) {
      wrap("redis-cli", "-p " + redis.port());
      assertThat(bash(script(block(ACL)))).isEqualToIgnoringNewLines("OK");
      assertThat(client.aclGetUser("weir").getKeys()).isEqualTo("~shop:*");
      assertThat(client.aclList())
          .filteredOn(user -> user.startsWith("user weir "))
          .singleElement()
          .satisfies(
              user ->
                  assertThat(user)
                      .contains(" on ", "+evalsha", "+cluster|slots")
                      .doesNotContain("+@all"));
      assertThat(client.auth("weir", "password")).isEqualTo("OK");
      try (Stream<Path> files = Files.list(scratch)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .as("no file named after the password")
            .containsExactlyInAnyOrder("bin", "pasted.sh");
      }
    }
  }

  @Test
  void all_bans_of_a_rule_are_lifted_as_pasted() throws Exception {
    assumePresent("redis-cli");
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client()) {
      wrap("redis-cli", "-p " + redis.port());
      List<String> bans = List.of("shop:{a}s:ban:login", "shop:{b}s:ban:login");
      List<String> others = List.of("shop:{a}b:login", "shop:{a}s:ban:other", "x:{a}s:ban:login");
      Stream.of(bans, others).flatMap(List::stream).forEach(key -> client.set(key, "1"));
      assertThat(bash(script(block(LIFT)))).contains("2");
      assertThat(client.keys("*")).containsExactlyInAnyOrderElementsOf(others);
    }
  }

  @Test
  void the_settings_of_Redis_are_settings_of_Redis() throws IOException {
    List<String> blocks =
        DOCUMENTS.stream()
            .flatMap(document -> Documents.fenced(document).stream())
            .filter(block -> block.language().equals("conf"))
            .map(Documents.Block::text)
            .toList();
    assertThat(blocks).isNotEmpty();
    for (String block : blocks) {
      Path file = Files.writeString(scratch.resolve("redis.conf"), block);
      String[] arguments =
          block
              .lines()
              .flatMap(line -> Stream.of(("--" + line).split(" ", 2)))
              .toArray(String[]::new);
      try (RedisServer redis = RedisServer.start(RedisVersion.newest(), arguments);
          Jedis client = redis.client()) {
        assertThat(Files.readAllLines(file))
            .allSatisfy(
                line -> {
                  String[] setting = line.split(" ", 2);
                  assertThat(client.configGet(setting[0])).containsEntry(setting[0], setting[1]);
                });
      }
    }
  }

  @Test
  void the_digest_of_a_key_is_printed_as_shown() throws Exception {
    assumePresent("sha256sum");
    assertThat(bash(script(block(DIGEST)))).isEqualTo(shownAfter(DIGEST));
  }

  /** Without the fields that the container adds, and the words that Tomcat leaves out. */
  @Test
  void the_sixth_request_of_the_README_is_denied_as_shown(@TempDir Path directory)
      throws Exception {
    assumePresent("curl");
    try (Container container = TomcatContainer.start()) {
      container.deploy(WebApp.in(directory, Map.of("limit", "5 per minute")));
      wrap("curl", "--connect-to localhost:8080:127.0.0.1:" + container.base().getPort());
      String printed = bash(script(block(CURL))).replace("\r", "");
      String seconds = printed.replaceAll("(?s).*Retry-After: ([0-9]+).*", "$1"); // fewer if slow
      String shown = shownAfter(CURL).replace(" Too Many Requests\n", "\n").replace("12", seconds);
      assertThat(printed.lines().map(String::stripTrailing))
          .containsSubsequence(shown.lines().toList());
    }
  }

  /** Returns the block after the one that begins so: what its page says that it prints. */
  private static String shownAfter(String beginning) {
    return DOCUMENTS.stream()
        .map(Documents::fenced)
        .flatMap(
            blocks ->
                IntStream.range(1, blocks.size())
                    .filter(i -> blocks.get(i - 1).text().startsWith(beginning))
                    .mapToObj(i -> blocks.get(i).text()))
        .findFirst()
        .orElseThrow();
  }

  private static String block(String beginning) {
    return shellBlocks().filter(block -> block.startsWith(beginning)).findFirst().orElseThrow();
  }

  @SuppressWarnings("SystemOut") // a test that is not run must be seen
  private static void assumePresent(String program) {
    boolean isPresent =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    if (!isPresent) {
      System.out.println("not run, because " + program + " is not installed");
    }
    assumeTrue(isPresent);
  }

  /** Puts a program in front of the installed one that calls it with these further arguments. */
  private void wrap(String program, String arguments) throws IOException {
    Path bin = Files.createDirectories(scratch.resolve("bin"));
    Path wrapper = bin.resolve(program);
    String path = System.getenv("PATH");
    Files.writeString(
        wrapper, "#!/bin/sh\nPATH='%s' exec %s %s \"$@\"\n".formatted(path, program, arguments));
    assertThat(wrapper.toFile().setExecutable(true)).isTrue();
  }

  private String script(String block) throws IOException {
    return Files.writeString(scratch.resolve("pasted.sh"), block).toString();
  }

  /** Returns what bash prints, errors included. */
  private String bash(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(Stream.of("bash"), Stream.of(arguments)).toList())
            .directory(scratch.toFile())
            .redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", scratch.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("bash ends").isTrue();
    return printed;
  }
}

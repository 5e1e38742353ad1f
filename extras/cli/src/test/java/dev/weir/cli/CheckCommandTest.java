package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.cli.Cli.Result;
import dev.weir.fixture.Documents;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A configuration is checked as a start would, and nothing is started. */
class CheckCommandTest {

  private static final String BROKEN =
      """
      limits: { login: 5 per minute }
      rules:
        - { name: login, match: POST /login, limits: [logn] }
      """;

  private static final String WARNED =
      """
      rules:
        - { name: api, match: /api/**, subject: header:X-API-Key, limits: [5 per minute] }
      """;

  private static final String UNSET =
      """
      application: shop
      redis: { uri: "redis://cache", secret: "${SHOP_SECRET}" }
      nodes: 1
      listener: com.example.Audit
      rules: [{ name: all, match: /**, limits: [5 per minute] }]
      """;

  private final Path folder;

  CheckCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void a_problem_has_the_text_of_a_start() throws Exception {
    Result result = Cli.with(folder, BROKEN).run("check", "weir.yaml");
    assertThat(result.exit()).isEqualTo(Exit.FINDING);
    assertThat(result.out())
        .contains(
            "problem  weir.yaml:3:49: rules[0].limits[0]: 'logn' (expected: one of the limits login,"
                + " or a limit in place such as '5 per minute'; did you mean 'login'?)\n",
            "weir.yaml: 1 problem\n");
  }

  @Test
  void a_warning_is_a_finding_where_that_is_wanted() throws Exception {
    Cli cli = Cli.with(folder, WARNED);
    Result result = cli.run("check");
    assertThat(result.exit()).isEqualTo(Exit.FINE);
    assertThat(result.out())
        .contains("warning  rule 'api' counts by header:x-api-key", "1 warning");
    assertThat(result.err()).isEqualTo("configuration: weir.yaml\n");
    assertThat(cli.run("check", "--strict").exit()).isEqualTo(Exit.FINDING);
  }

  @Test
  void what_is_not_here_is_noted() throws Exception {
    Cli cli = Cli.with(folder, UNSET);
    assertThat(cli.run("check").out())
        .contains("redis.secret: ${SHOP_SECRET}, which is not set")
        .doesNotContain("listener");
    Result assumed = cli.run("check", "--unset-ok", "--strict");
    assertThat(assumed.out())
        .contains(
            "note     ${SHOP_SECRET} is not set: any value is assumed",
            "note     class com.example.Audit is not on the class path: it is not checked");
    assertThat(assumed.exit()).isEqualTo(Exit.FINE);
    assertThat(cli.environment("SHOP_SECRET", Shop.SECRET).run("check").exit())
        .isEqualTo(Exit.FINE);
  }

  @Test
  void a_rule_with_an_unset_limit_is_noted_and_is_no_reason_for_a_warning() throws Exception {
    String yaml =
        """
        rules:
          - { name: flood, match: /**, subject: ip, limits: ["${FLOOD}"] }
          - { name: keys, match: /api/**, subject: header:X-API-Key, limits: [9 per hour] }
        """;
    Cli cli = Cli.with(folder, yaml);
    Result assumed = cli.run("check", "--unset-ok", "--strict");
    assertThat(assumed.out())
        .contains(
            "note     rule 'flood' is left out: it depends on what is not set here",
            "note     rule 'keys' counts by header:x-api-key, which clients choose freely",
            "1 rule, 0 warnings");
    assertThat(assumed.exit()).as(assumed.all()).isEqualTo(Exit.FINE);
    Result known = cli.environment("FLOOD", "5 per second").run("check", "--strict");
    assertThat(known.out()).contains("2 rules, 0 warnings");
    assertThat(known.exit()).isEqualTo(Exit.FINE);
  }

  @Test
  void all_on_one_page_is_fine() throws Exception {
    String example = Documents.text("examples/all-of-it/weir.yaml");
    Result result = Cli.with(folder, example).run("check", "--unset-ok", "weir.yaml");
    assertThat(result.out()).contains("weir.yaml: ");
    assertThat(result.exit()).isEqualTo(Exit.FINE);
  }

  @Test
  void the_result_is_JSON_too() throws Exception {
    Cli cli = Cli.with(folder, BROKEN);
    assertThat(cli.run("check", "--json").out())
        .startsWith("{\"configuration\":\"weir.yaml\",\"rules\":[],\"problems\":[{")
        .contains("\"line\":3,\"column\":49,\"field\":\"rules[0].limits[0]\"")
        .endsWith("\"suggestion\":\"login\"}],\"warnings\":[],\"notes\":[]}\n");
    assertThat(cli.run("check", "--json", "missing.yaml").out())
        .isEqualTo("{\"error\":\"--config: 'missing.yaml' (expected: a file that exists)\"}\n");
  }

  @Test
  void it_is_found_where_an_application_finds_it() throws Exception {
    Path other = Files.writeString(folder.resolve("other.yaml"), WARNED);
    Cli cli = Cli.in(folder);
    Result none = cli.run("check");
    assertThat(none.exit()).isEqualTo(Exit.USAGE);
    assertThat(none.err()).contains("--config: nothing (expected: a file, since weir.config, ");
    assertThat(cli.environment("WEIR_CONFIG", other.toString()).run("check").err())
        .isEqualTo("configuration: " + other + "\n");
    Path webInf = Files.createDirectories(folder.resolve("app/WEB-INF"));
    Files.writeString(webInf.resolve("weir.yaml"), WARNED);
    assertThat(Cli.in(folder.resolve("app")).run("check").err())
        .isEqualTo("configuration: WEB-INF/weir.yaml\n");
  }

  @Test
  void a_WAR_and_standard_input_are_read() throws Exception {
    Path war = war("WEB-INF/weir.yaml", BROKEN);
    Result result = Cli.in(folder).run("check", war.toString());
    assertThat(result.exit()).isEqualTo(Exit.FINDING);
    assertThat(result.out()).contains("/WEB-INF/weir.yaml:3:49: rules[0].limits[0]: 'logn'");
    Result none = Cli.in(folder).run("check", war("WEB-INF/web.xml", "<web-app/>").toString());
    assertThat(none.exit()).isEqualTo(Exit.USAGE);
    assertThat(none.err()).contains("(expected: a WAR with WEB-INF/weir.yaml)");
    assertThat(Cli.in(folder).run(BROKEN.lines().toList(), "check", "-").out())
        .contains("weir:3:49: rules[0].limits[0]: 'logn'");
  }

  private Path war(String name, String text) throws IOException {
    Path war = folder.resolve("shop.war");
    try (OutputStream file = Files.newOutputStream(war);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(text.getBytes(UTF_8));
    }
    return war;
  }

  @Test
  void it_connects_to_nothing() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client()) {
      Cli cli = Cli.with(folder, Shop.yaml(redis));
      String before = connections(client);
      assertThat(cli.run("check").exit()).isEqualTo(Exit.FINE);
      assertThat(connections(client)).isEqualTo(before);
    }
  }

  @Test
  void it_needs_no_network() throws Exception {
    assumeUnshare();
    Result result = Cli.with(folder, WARNED).under("unshare", "-rn").run("check");
    assertThat(result.exit()).as(result.all()).isEqualTo(Exit.FINE);
  }

  @SuppressWarnings("SystemOut") // a test that is not run must be seen
  private static void assumeUnshare() throws Exception {
    boolean isThere;
    try {
      Process process = new ProcessBuilder("unshare", "-rn", "true").start();
      isThere = process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException absent) {
      isThere = false;
    }
    if (!isThere) {
      System.out.println("not run, because unshare -rn is not permitted");
    }
    assumeTrue(isThere);
  }

  private static String connections(Jedis client) {
    return client
        .info("stats")
        .lines()
        .filter(line -> line.startsWith("total_connections_received:"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void mistakes_on_the_command_line_are_explained_without_their_values() throws Exception {
    Cli cli = Cli.with(folder, WARNED);
    for (List<String> arguments :
        List.of(
            List.of("check", "--uset-ok"),
            List.of("chek"),
            List.of("check", "weir.yaml", "s3cret"),
            List.of("inspect"),
            List.of("check", "--config", "weir.yaml", "--config", "weir.yaml"))) {
      Result result = cli.run(arguments.toArray(String[]::new));
      assertThat(result.exit()).as("%s", arguments).isEqualTo(Exit.USAGE);
      assertThat(result.err()).matches("[^\n]+: [^\n]+ \\(expected: [^\n]+\\)\n");
      assertThat(result.all()).doesNotContain("s3cret");
    }
    assertThat(cli.run("check", "--uset-ok").err()).contains("did you mean '--unset-ok'?");
  }

  @Test
  void help_has_a_line_for_each_option_and_the_version_is_that_of_the_library() throws Exception {
    Cli cli = Cli.in(folder);
    for (String command :
        List.of("check", "explain", "doctor", "inspect", "reset", "block", "reward", "digest")) {
      Result help = cli.run(command, "--help");
      assertThat(help.exit()).isZero();
      assertThat(help.out()).contains("--config", "--json", "--help");
    }
    assertThat(cli.run("--help").out()).contains("Exit codes: 0 fine, 1 a finding, 2 usage");
    assertThat(cli.run("--version").out()).matches("weir [0-9]+\\.[0-9]+\\.[0-9]+\\S*\n");
  }
}

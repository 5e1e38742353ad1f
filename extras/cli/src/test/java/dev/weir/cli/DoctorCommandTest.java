package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Cli.Result;
import dev.weir.config.Weir;
import dev.weir.fixture.Documents;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;

/** Each thing that is wrong with a Redis is found, and nothing else. */
class DoctorCommandTest {

  private final Path folder;

  DoctorCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void where_all_is_well_it_says_so() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest(), "--maxmemory", "100mb");
        Weir node = Shop.node(Shop.yaml(redis))) {
      assertThat(node.status().liveNodes()).isEqualTo(1);
      Result result = Cli.with(folder, Shop.yaml(redis)).run("doctor", "--strict");
      assertThat(result.exit()).as(result.all()).isEqualTo(Exit.FINE);
      assertThat(result.out())
          .contains(
              "ok   redis://127.0.0.1:" + redis.port() + ", one server: 1 primary\n",
              "ok   Redis ",
              "ok   rights: all commands that Weir needs\n",
              "ok   maxmemory-policy noeviction\n",
              "ok   maxmemory 100",
              "ok   1 live node\n")
          .containsPattern("ok   round trip [0-9.]+ ms, p99 [0-9.]+ ms; deadline 100 ms\n")
          .containsPattern("ok   its clock is 0.\\d{3} s (ahead of|behind) that of this machine\n");
      assertThat(result.out().lines()).allMatch(line -> line.startsWith("ok   "));
    }
  }

  @Test
  void what_is_wrong_has_its_cure() throws Exception {
    try (RedisServer redis =
            RedisServer.start(RedisVersion.newest(), "--maxmemory-policy", "allkeys-lru");
        Jedis client = redis.client()) {
      String[] documented =
          Documents.block("docs/redis.md", "redis-cli ACL SETUSER ")
              .replace("\\\n", " ")
              .replace("'", "")
              .strip()
              .split("\\s+");
      client.aclSetUser(
          "weir", List.of(documented).subList(1, documented.length).toArray(String[]::new));
      String yaml = Shop.yaml(redis).replace("redis://", "redis://weir:password@");
      Cli cli = Cli.with(folder, yaml.replace(", secret: " + Shop.SECRET, ""));
      Result result = cli.run("doctor");
      assertThat(result.exit()).as(result.all()).isEqualTo(Exit.FINDING);
      assertThat(result.out())
          .contains(
              "ok   rights: all commands that Weir needs\n",
              """
              FAIL maxmemory-policy allkeys-lru: an evicted counter is a forgotten limit
                   cure: CONFIG SET maxmemory-policy noeviction
                   see:  docs/redis.md#memory
              """,
              "warn no maxmemory: ",
              "warn no live node of application shop\n",
              "warn no secret: what rule address counts by can be guessed from its keys\n");
      client.aclSetUser("weir", "-zadd", "-time");
      Result without = cli.run("doctor", "--json");
      assertThat(without.exit()).isEqualTo(Exit.FINDING);
      assertThat(without.out())
          .contains("{\"level\":\"fail\",\"text\":\"rights: TIME, ZADD refused\"")
          .contains("TIME is refused in scripts")
          .doesNotContain("password");
    }
  }

  @Test
  void the_number_of_nodes_is_compared() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest(), "--maxmemory", "100mb");
        Weir node = Shop.node(Shop.yaml(redis))) {
      assertThat(node.status().liveNodes()).isEqualTo(1);
      Cli cli = Cli.with(folder, Shop.yaml(redis).replace("nodes: 1", "nodes: 3"));
      assertThat(cli.run("doctor").out()).contains("warn 1 live node, but nodes: 3\n");
      assertThat(cli.run("doctor").exit()).isEqualTo(Exit.FINE);
      assertThat(cli.run("doctor", "--strict").exit()).isEqualTo(Exit.FINDING);
    }
  }

  @Test
  void it_leaves_nothing() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client()) {
      client.set("shop:{someone}b:api", "1:1");
      assertThat(Cli.with(folder, Shop.yaml(redis)).run("doctor").exit()).isEqualTo(Exit.FINE);
      assertThat(client.keys("*"))
          .filteredOn(key -> client.pttl(key) < 0 || client.pttl(key) > 10_000)
          .containsExactly("shop:{someone}b:api");
      assertThat(client.get("shop:{someone}b:api")).isEqualTo("1:1");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "8.8.8.8, true",
    "2001:4860:4860::8888, true",
    "127.0.0.1, false",
    "10.1.2.3, false",
    "172.16.0.1, false",
    "192.168.1.1, false",
    "100.64.0.1, false",
    "169.254.1.1, false",
    "fd00::1, false",
    "fe80::1, false",
    "::1, false",
  })
  void addresses_of_the_internet_want_TLS(String address, boolean isPublic) throws Exception {
    assertThat(ServerCheck.isPublic(InetAddress.getByName(address))).isEqualTo(isPublic);
  }

  @Test
  void each_section_that_it_names_is_there() throws IOException {
    Path sources = Documents.root().resolve("extras/cli/src/main/java/dev/weir/cli");
    try (Stream<Path> files = Files.list(sources)) {
      List<String> links =
          files
              .map(file -> Documents.text(Documents.root().relativize(file).toString()))
              .flatMap(
                  text ->
                      Pattern.compile("\"(docs/[a-z-]+\\.md#[a-z-]+)\"").matcher(text).results())
              .map(link -> link.group(1))
              .distinct()
              .toList();
      assertThat(links).hasSizeGreaterThan(5).allMatch(DoctorCommandTest::exists);
    }
  }

  private static boolean exists(String link) {
    String[] parts = link.split("#", 2);
    return Documents.text(parts[0])
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .anyMatch(parts[1]::equals);
  }
}

package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Cli.Result;
import dev.weir.config.Weir;
import dev.weir.fixture.Documents;
import dev.weir.fixture.Documents.Block;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page prints what the commands print. Times, tags and addresses are those of the day. */
class DocumentedCommandsTest {

  private static final String PAGE = "docs/command-line.md";
  private static final String PROGRAM = "java -jar weir-cli.jar ";

  /** A word, or what stands between single quotes. */
  private static final Pattern ARGUMENT = Pattern.compile("'([^']*)'|(\\S+)");

  private static final Pattern TODAYS =
      Pattern.compile(
          "#\\S{8}|[0-9.]+ (ms|s|min|h|d)\\b|Retry-After: [0-9]+|t=[0-9]+|Redis [0-9.]+"
              + "|ahead of|behind");

  @Test
  void the_page_prints_what_the_commands_print(@TempDir Path folder) throws Exception {
    List<Block> blocks = Documents.fenced(PAGE);
    String yaml =
        blocks.stream()
            .filter(block -> block.language().equals("yaml"))
            .findFirst()
            .orElseThrow()
            .text();
    try (RedisServer redis =
        RedisServer.start(
            RedisVersion.newest(), "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")) {
      String here = yaml.replace("redis://cache:6379", redis.uri());
      Cli cli = Cli.with(folder, here);
      Files.writeString(folder.resolve("broken.yaml"), here.replace("[login]", "[logn]"));
      try (Weir node = Shop.node(here)) {
        FakeRequest request =
            FakeRequest.get("/api/orders").from("203.0.113.7").header("X-API-Key", "partner-key");
        for (int i = 0; i < 40; i++) {
          assertThat(node.limiter().limit(request.again())).isInstanceOf(Outcome.Passed.class);
        }
        for (int i = 0; i + 1 < blocks.size(); i++) {
          if (blocks.get(i).text().startsWith(PROGRAM)) {
            Result result =
                cli.run(List.of("partner-key"), arguments(blocks.get(i).text().strip()));
            String printed =
                (result.err() + result.out()).replace("127.0.0.1:" + redis.port(), "cache:6379");
            assertThat(everyDay(printed)).as(printed).isEqualTo(everyDay(blocks.get(i + 1).text()));
          }
        }
      }
    }
  }

  @Test
  void the_commands_of_other_pages_are_right(@TempDir Path folder) throws Exception {
    List<String> lines =
        Documents.userPages().stream()
            .filter(page -> !page.equals(PAGE))
            .flatMap(page -> Documents.fenced(page).stream())
            .flatMap(block -> block.text().lines())
            .filter(line -> line.startsWith(PROGRAM))
            .toList();
    assertThat(lines).hasSizeGreaterThanOrEqualTo(3);
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      String yaml =
          "application: shop\nredis: '%s'\nnodes: 1\nrules: [{ name: login, match: POST /login,"
              + " subject: ip, limits: [5 per hour], ban: 9m after 9 denials in 1m }]\n";
      Cli cli = Cli.with(folder, yaml.formatted(redis.uri()));
      for (String line : lines) {
        Result result = cli.run(List.of("203.0.113.7"), arguments(line));
        assertThat(result.exit()).as(line + "\n" + result).isZero();
      }
    }
  }

  private static String[] arguments(String line) {
    List<String> arguments = new ArrayList<>();
    Matcher argument = ARGUMENT.matcher(line.substring(PROGRAM.length()));
    while (argument.find()) {
      arguments.add(argument.group(1) == null ? argument.group(2) : argument.group(1));
    }
    return arguments.toArray(String[]::new);
  }

  /** Returns the text without what differs from day to day, and without the width of columns. */
  private static String everyDay(String text) {
    return TODAYS.matcher(text).replaceAll("…").replaceAll(" +", " ");
  }
}

package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line accepts, and how it refuses. */
@Full
class CommandLineIT {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --bogus                         | Unknown option: '--bogus'
          something                       | Unmatched argument
          --port                          | Missing required parameter
          --port 0                        | --port: 0 (expected: 1 to 65534, for 2 nodes)
          --port 65535                    | --port: 65535 (expected: 1 to 65534, for 2 nodes)
          --port eighty                   | 'eighty' is not an int
          --nodes 0                       | --nodes: 0 (expected: 1 to 16)
          --nodes 17                      | --nodes: 17 (expected: 1 to 16)
          --redis cache:6379              | --redis: not a URI of Redis (expected: redis://host:port)
          --redis http://cache            | --redis: not a URI of Redis (expected: redis://host:port)
          --local --redis redis://cache   | --redis: given with --local (expected: one of them)
          --config /nowhere/weir.yaml     | --config: '/nowhere/weir.yaml' (expected: a file
          """)
  void a_bad_option_is_named_with_what_was_expected(String options, String message)
      throws IOException {
    try (DemoProcess demo = DemoProcess.run(options.split(" "))) {
      assertThat(demo.exitCode()).isEqualTo(2);
      assertThat(demo.output()).contains(message).doesNotContain("\tat ");
      assertThat(demo.leftovers()).isEmpty();
    }
  }

  /** The word stands where a password would. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--redis redis://:s3cret|word@cache",
        "--redis=redis://:s3cret%@cache",
        "--redis http://:s3cret@cache",
        "--redis redis://:s3cret @cache",
        "--redis redis://:s3cret@cache --redis redis://:s3cret@cache",
        "--local --redis redis://:s3cret@cache",
        "--redi redis://:s3cret@cache",
        "--redi=redis://:s3cret@cache",
        "redis://:s3cret@cache"
      })
  void a_mistake_around_redis_never_shows_its_password(String options) throws IOException {
    try (DemoProcess demo = DemoProcess.run(options.split(" "))) {
      assertThat(demo.exitCode()).isEqualTo(2);
      assertThat(demo.output()).contains("--help").doesNotContain("s3cret");
    }
  }

  @Test
  void help_tells_every_option() throws IOException {
    try (DemoProcess demo = DemoProcess.run("--help")) {
      assertThat(demo.exitCode()).isZero();
      assertThat(demo.output()).contains("--port", "--nodes", "--redis", "--local", "--config");
    }
  }

  @Test
  void a_port_in_use_is_named_and_nothing_is_left_behind() throws IOException {
    try (ServerSocket taken = new ServerSocket(0);
        DemoProcess demo =
            DemoProcess.run("--nodes", "1", "--port", String.valueOf(taken.getLocalPort()))) {
      assertThat(demo.exitCode()).isEqualTo(1);
      assertThat(demo.output())
          .contains("port: " + taken.getLocalPort())
          .contains("--port")
          .doesNotContain("\tat ");
      assertThat(demo.children()).isEmpty();
      assertThat(demo.leftovers()).isEmpty();
    }
  }

  @Test
  void another_configuration_takes_the_place_of_the_wars(@TempDir Path directory)
      throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("mine.yaml"),
            """
            application: mine
            redis: ${WEIR_REDIS:-}
            rules:
              - { name: mine, match: /static/**, subject: ip, limits: [3 per hour] }
            """);
    try (DemoProcess demo = DemoProcess.start("--local", "--config", config.toString())) {
      assertThat(demo.node(0).get("/static/hello.txt").field("RateLimit-Policy"))
          .contains("\"mine\";q=3;w=3600");
    }
  }

  @Test
  void a_configuration_with_mistakes_is_refused(@TempDir Path directory) throws IOException {
    Path config = directory.resolve("wrong.yaml");
    Files.writeString(config, "application: mine\nrulez: []\n");
    try (DemoProcess demo =
        DemoProcess.run("--local", "--port", "32123", "--config", config.toString())) {
      assertThat(demo.exitCode()).isEqualTo(1);
      assertThat(demo.output()).contains("rulez").doesNotContain("\tat ");
      assertThat(demo.leftovers()).isEmpty();
    }
  }
}

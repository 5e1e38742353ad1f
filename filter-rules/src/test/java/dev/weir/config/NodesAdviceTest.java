package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.SubjectResolver;
import dev.weir.limit.Limit;
import dev.weir.redis.RedisOptions;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node that starts during an outage must know how many share a limit. */
class NodesAdviceTest {

  private static final String ADVICE =
      "'nodes' is not set: a node that starts while Redis is out grants the whole of each limit by itself; set it to the number of nodes, 1 if there is only one";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          redis://cache | -        | local | true
          redis://cache | nodes: 1 | local | false
          redis://cache | nodes: 3 | local | false
          redis://cache | -        | deny  | false
          redis://cache | -        | allow | false
          ''            | -        | local | false
          """)
  void a_warning_says_that_nodes_is_not_set(
      String redis, String nodes, String onOutage, boolean isWarned) {
    String yaml =
        """
        application: shop
        redis: %s
        %s
        rules: [{ name: all, match: /**, limits: 5 per second, on-outage: %s }]
        """
            .formatted(redis, nodes == null ? "" : nodes, onOutage);
    assertThat(Weirs.settings(yaml).advice()).isEqualTo(isWarned ? List.of(ADVICE) : List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limits: { a: 5 per second }                     | true
          limits: { a: 5 per second }⏎nodes: 2            | false
          limits: { a: 5 per second }⏎on-outage: deny     | false
          limits: {}                                      | false
          """)
  void limits_that_only_annotations_use_are_warned_of_too(String limits, boolean isWarned) {
    String yaml = "application: shop\nredis: redis://cache\n" + limits.replace('⏎', '\n');
    assertThat(Weirs.settings(yaml).advice()).isEqualTo(isWarned ? List.of(ADVICE) : List.of());
  }

  @Test
  void init_params_set_it_too() {
    Map<String, String> params =
        Map.of("limit", "5 per second", "application", "shop", "redis", "redis://cache");
    assertThat(Weirs.settings(params).advice()).containsExactly(ADVICE);
    Map<String, String> three =
        Map.of(
            "limit", "5 per second", "application", "shop", "redis", "redis://cache", "nodes", "3");
    assertThat(Weirs.settings(three).advice()).isEmpty();
  }

  @Test
  void so_does_code_and_the_log_has_it_once() {
    assertThat(warnings(builder().nodes(2))).isEmpty();
    assertThat(warnings(builder())).containsExactly("weir: " + ADVICE);
  }

  private static WeirBuilder builder() {
    return Weir.builder()
        .redis(RedisOptions.of("redis://127.0.0.1:1", "shop"))
        .rule(
            Rule.builder("all")
                .match(RequestMatcher.of("/**"))
                .subject(SubjectResolver.of("ip"))
                .limit(new NamedLimit("all", Limit.parse("5 per second")))
                .build());
  }

  private static List<String> warnings(WeirBuilder builder) {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = builder.start()) {
      assertThat(weir.rules()).hasSize(1);
      return log.records().stream()
          .filter(line -> line.getLevel().equals(Level.WARNING))
          .map(LogRecord::getMessage)
          .toList();
    }
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.FakeRequest;
import dev.weir.http.Rule;
import dev.weir.http.spi.Outcome;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node's share is the limit by the nodes, whatever a request costs. */
class SharesTest {

  private static final String CHEAP_AND_DEAR =
      """
      nodes: 10
      limits: { api: 100 per minute window }
      rules:
        - { name: all, match: /**, limits: api, cost: 1 }
        - { name: reports, match: /reports, limits: api, cost: 49 }
      """;

  @Test
  void a_dear_rule_makes_no_share_larger() {
    try (Weir weir = open(CHEAP_AND_DEAR)) {
      assertThat(Weirs.passing(weir, 99, () -> FakeRequest.get("/a"))).isEqualTo(10);
    }
  }

  @Test
  void what_several_rules_charge_together_passes_when_the_share_is_free_and_is_owed_then() {
    try (Weir weir = open(CHEAP_AND_DEAR)) {
      assertThat(Weirs.passes(weir, FakeRequest.get("/reports"))).isTrue();
      assertThat(Weirs.passes(weir, FakeRequest.get("/reports"))).isFalse();
      assertThat(Weirs.passes(weir, FakeRequest.get("/a"))).isFalse();
    }
  }

  private static RuleReference annotation(String element, long cost) {
    return RuleReference.of(element, "daily")
        .withOrigin("@RateLimited at " + element)
        .withCost(cost);
  }

  @Test
  void a_limit_that_many_methods_name_is_divided_all_the_same() {
    try (Weir weir = open("{ nodes: 4, limits: { daily: 40 per day } }")) {
      List<Rule> bound = List.of();
      for (int i = 0; i < 30; i++) {
        bound = Weirs.bound(weir, annotation("Orders.list" + i, 2));
      }
      int passed = 0;
      for (int i = 0; i < 40; i++) {
        Outcome outcome = weir.limiter().limit(FakeRequest.get("/a"), bound);
        passed += outcome instanceof Outcome.Passed ? 1 : 0;
      }
      assertThat(passed).as("of 2 permits each, out of a share of 10").isEqualTo(5);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10, 3 per day window, 1, 1",
    "10, 3 per day, 1, 1",
    "3, 3 per day window, 1, 0",
    "1, 3 per day window, 3, 0",
    "2, 3 per day window, 2, 0",
    "4, 40 per second, 10, 0",
    "4, 40 per second, 11, 0"
  })
  void shares_that_come_to_more_than_the_limit_are_warned_of(
      int nodes, String limit, int cost, int warnings) {
    String yaml =
        "{ nodes: %d, rules: [{ name: r, match: /**, limits: %s, cost: %d }] }"
            .formatted(nodes, limit, cost);
    assertThat(Weirs.settings(yaml).advice()).hasSize(warnings);
  }

  @Test
  void the_warning_names_limit_and_nodes() {
    String yaml = "{ nodes: 10, rules: [{ name: r, match: /**, limits: 3 per day window }] }";
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = open(yaml)) {
      assertThat(weir.rules()).hasSize(1);
      assertThat(log.records().stream().map(LogRecord::getMessage))
          .contains(
              "/WEB-INF/weir.yaml: limit 'r' grants 3 at most, but each of 10 nodes that limit by"
                  + " themselves grants 1 or more: together they grant more than the limit");
    }
  }

  @Test
  void rules_that_never_limit_in_process_have_no_share() {
    String yaml =
        """
        application: shop
        redis: redis://cache
        nodes: 10
        rules: [{ name: r, match: /**, limits: 3 per day window, on-outage: %s }]
        """;
    assertThat(Weirs.settings(yaml.formatted("deny")).advice()).isEmpty();
    assertThat(Weirs.settings(yaml.formatted("local")).advice()).hasSize(1);
  }

  private static Weir open(String yaml) {
    return Weir.open(Weirs.webInf(yaml, Weirs.application()));
  }
}

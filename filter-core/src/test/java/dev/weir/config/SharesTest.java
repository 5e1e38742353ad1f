package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LogCapture;
import dev.weir.http.FakeRequest;
import dev.weir.http.Outcome;
import dev.weir.http.Rule;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node's share lets every request of the rules pass at times. */
class SharesTest {

  private static final String TWO_RULES =
      """
      nodes: 4
      limits: { api: 8 per second }
      rules:
        - { name: all, match: /**, limits: api, cost: 3 }
        - { name: reports, match: /reports, limits: api, cost: 4 }
      """;

  @Test
  void a_share_has_room_for_what_several_rules_charge_together() {
    try (Weir weir = open(TWO_RULES)) {
      assertThat(Weirs.passes(weir, FakeRequest.get("/reports"))).isTrue();
    }
  }

  @Test
  void so_it_has_for_what_an_annotation_charges_beside_a_rule() {
    try (Weir weir = open(TWO_RULES)) {
      List<Rule> bound = weir.bind(RuleReference.of("A.b", "api").withCost(5)).get();
      FakeRequest request = FakeRequest.get("/a");
      assertThat(Weirs.passes(weir, request)).isTrue();
      assertThat(weir.limiter().limit(request, bound)).isInstanceOf(Outcome.Passed.class);
    }
  }

  @Test
  void one_rule_is_reckoned_with_once_however_many_annotations_name_it() {
    try (Weir weir = open(TWO_RULES)) {
      for (int i = 0; i < 5; i++) {
        weir.bind(RuleReference.of("Orders.list" + i, "all"));
      }
      assertThat(Weirs.passing(weir, 9, () -> FakeRequest.get("/a")))
          .as("of 3 permits each, out of a share of 7")
          .isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10, 3 per day window, 1, 1",
    "10, 3 per day, 1, 1",
    "3, 3 per day window, 1, 0",
    "1, 3 per day window, 3, 0",
    "2, 3 per day window, 2, 1",
    "4, 40 per second, 10, 0",
    "4, 40 per second, 11, 1"
  })
  void shares_that_come_to_more_than_the_limit_are_warned_of(
      int nodes, String limit, int cost, int warnings) {
    String yaml =
        "{ nodes: %d, rules: [{ name: r, match: /**, limits: %s, cost: %d }] }"
            .formatted(nodes, limit, cost);
    assertThat(Weirs.settings(yaml).advice()).hasSize(warnings);
  }

  @Test
  void the_warning_names_limit_nodes_and_cost() {
    String yaml = "{ nodes: 10, rules: [{ name: r, match: /**, limits: 3 per day window }] }";
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = open(yaml)) {
      assertThat(weir.rules()).hasSize(1);
      assertThat(log.records().stream().map(LogRecord::getMessage))
          .contains(
              "/WEB-INF/weir.yaml: limit 'r' grants 3 at most, but each of 10 nodes that limit by themselves grants 1 or more, for that is the dearest cost: together they grant more than the limit");
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

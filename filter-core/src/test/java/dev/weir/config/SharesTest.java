package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LogCapture;
import dev.weir.http.FakeRequest;
import dev.weir.http.Outcome;
import dev.weir.http.Rule;
import java.util.ArrayList;
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

  private static final String DAILY = "{ nodes: 4, limits: { daily: 10 per day } }";

  @Test
  void a_share_has_room_for_what_several_rules_charge_together() {
    try (Weir weir = open(TWO_RULES)) {
      assertThat(Weirs.passes(weir, FakeRequest.get("/reports"))).isTrue();
    }
  }

  @Test
  void so_it_has_for_what_an_annotation_charges_beside_a_rule() {
    try (Weir weir = open(TWO_RULES)) {
      List<Rule> bound = Weirs.bound(weir, RuleReference.of("A.b", "api").withCost(5));
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

  private static RuleReference annotation(String element, int number, long cost) {
    String place = number == 1 ? element : element + "." + number;
    return RuleReference.of(place, "daily").withOrigin("@RateLimited at " + element).withCost(cost);
  }

  @Test
  void so_it_has_for_what_two_annotations_of_one_method_charge() {
    try (Weir weir = open(DAILY)) {
      List<Rule> bound = new ArrayList<>(Weirs.bound(weir, annotation("Orders.list", 1, 3)));
      bound.addAll(Weirs.bound(weir, annotation("Orders.list", 2, 2)));
      assertThat(weir.limiter().limit(FakeRequest.get("/a"), bound))
          .isInstanceOf(Outcome.Passed.class);
    }
  }

  @Test
  void a_limit_that_many_methods_name_is_divided_all_the_same() {
    try (Weir weir = open("{ nodes: 4, limits: { daily: 40 per day } }")) {
      List<Rule> bound = List.of();
      for (int i = 0; i < 30; i++) {
        bound = Weirs.bound(weir, annotation("Orders.list" + i, 1, 2));
      }
      int passed = 0;
      for (int i = 0; i < 40; i++) {
        Outcome outcome = weir.limiter().limit(FakeRequest.get("/a"), bound);
        passed += outcome instanceof Outcome.Passed ? 1 : 0;
      }
      assertThat(passed).as("of 2 permits each, out of a share of 10").isEqualTo(5);
    }
  }

  @Test
  void annotations_of_one_method_that_charge_too_much_are_warned_of_once() {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = open(DAILY)) {
      weir.bind(annotation("Orders.one", 1, 6));
      weir.bind(annotation("Orders.list", 1, 6));
      assertThat(alwaysDenied(log)).isEmpty();
      weir.bind(annotation("Orders.list", 2, 6));
      assertThat(alwaysDenied(log))
          .containsExactly(
              "/WEB-INF/weir.yaml: rules 'Orders.list', 'Orders.list.2' together charge limit 'daily' 12 permits for one request, and it grants 10 at most: what all of them match is always denied");
      weir.bind(annotation("Orders.list", 2, 6));
      assertThat(alwaysDenied(log)).hasSize(1);
    }
  }

  @Test
  void so_are_rules_of_the_file_that_one_method_names() {
    String yaml =
        """
        limits: { daily: 10 per day }
        rules:
          - { name: one, match: annotations, limits: daily, cost: 6 }
          - { name: other, match: annotations, limits: daily, cost: 5 }
        """;
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = open(yaml)) {
      weir.bind(RuleReference.of("A.b", "one").withOrigin("A.b()"));
      weir.bind(RuleReference.of("A.c", "other").withOrigin("A.c()"));
      assertThat(alwaysDenied(log)).isEmpty();
      weir.bind(RuleReference.of("A.b.2", "other").withOrigin("A.b()"));
      assertThat(alwaysDenied(log)).singleElement().asString().contains("'one', 'other'");
    }
  }

  private static List<String> alwaysDenied(LogCapture log) {
    return log.records().stream()
        .map(LogRecord::getMessage)
        .filter(message -> message.contains("always denied"))
        .toList();
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

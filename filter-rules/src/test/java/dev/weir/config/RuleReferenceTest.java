package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.fixture.LogCapture;
import dev.weir.http.FakeRequest;
import dev.weir.http.OnDenial;
import dev.weir.http.RequestCounts;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Outcome;
import dev.weir.limit.Limit;
import dev.weir.store.OnOutage;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What annotations may say, and what comes of it. */
class RuleReferenceTest {

  private static final String YAML =
      """
      on-outage: deny
      limits: { login: 5 per minute, daily: 1000 per day window, trial: 9 per hour }
      rules:
        - { name: api, match: annotations, subject: header:X-API-Key, limits: daily, cost: 2 }
        - { name: in-place, match: /x, limits: 7 per hour }
        - { name: off, match: annotations, limits: login, enabled: false }
        - { name: candidate, match: /x, limits: trial, on-denial: shadow }
      """;

  private final Weir weir = Weir.open(Weirs.webInf(YAML, Weirs.application()));

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void a_rule_is_found_by_its_name() {
    assertThat(bound(RuleReference.of("A.b", "api"))).isSameAs(weir.rules().get(0));
  }

  @Test
  void a_limit_is_charged_for_the_address_unless_told_otherwise() {
    Rule rule = bound(RuleReference.of("A.b", "login"));
    assertThat(rule.name()).isEqualTo("A.b");
    assertThat(rule.limits()).containsExactly(new NamedLimit("login", Limit.parse("5 per minute")));
    assertThat(rule.subject()).hasToString("ip");
    assertThat(rule.match()).isEmpty();
    assertThat(rule.cost().most()).isEqualTo(1);
    assertThat(rule.onOutage()).isEqualTo(OnOutage.DENY);
  }

  @Test
  void a_limit_takes_a_subject_and_a_cost() {
    Rule rule =
        bound(
            RuleReference.of("A.b", "login")
                .withSubject(List.of("header:X-API-Key", "path"))
                .withCost(3));
    assertThat(rule.subject()).hasToString("header:x-api-key+path");
    assertThat(rule.cost().most()).isEqualTo(3);
  }

  @Test
  void a_limit_in_bytes_is_none_for_requests_that_cost_one() {
    try (Weir bytes = Weir.of("limits: { traffic: 1 MB per minute }")) {
      for (String limit : List.of("traffic", "64 KiB/s")) {
        Problem problem =
            Complaints.only(() -> bytes.bind(RuleReference.of("A.b " + limit.length(), limit)));
        assertThat(problem.found()).contains("in bytes, with a cost of 1");
        assertThat(problem.expected()).contains("a limit without sizes");
      }
      assertThat(Weirs.bound(bytes, RuleReference.of("A.c", "traffic").withCost(1000))).hasSize(1);
    }
  }

  @Test
  void a_limit_in_place_is_named_after_the_place() {
    assertThat(bound(RuleReference.of("A.b", "3 per minute")).limits())
        .containsExactly(new NamedLimit("A.b", Limit.parse("3 per minute")));
  }

  @Test
  void a_rule_by_what_clients_choose_is_warned_of_where_nothing_else_counts() {
    try (LogCapture log = new LogCapture("dev.weir.config")) {
      weir.bind(RuleReference.of("A.b", "login").withSubject(List.of("header:X-API-Key")));
      weir.bind(RuleReference.of("A.c", "login"));
      assertThat(log.records())
          .singleElement()
          .satisfies(
              line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARNING);
                assertThat(line.getMessage()).contains("'A.b'").contains("header:x-api-key");
              });
    }
  }

  @Test
  void one_reference_is_one_rule_so_that_it_charges_once() {
    RuleReference reference = RuleReference.of("A.b", "2 per hour");
    assertThat(bound(reference)).isSameAs(bound(RuleReference.of("A.b", "2 per hour")));
    FakeRequest request = FakeRequest.get("/a");
    for (int i = 0; i < 5; i++) {
      assertThat(weir.limiter().limit(request, List.of(bound(reference))))
          .isInstanceOf(Outcome.Passed.class);
    }
  }

  @Test
  void two_places_of_one_name_cannot_have_two_limits() {
    bound(RuleReference.of("A.b", "2 per hour"));
    bound(RuleReference.of("A.b", "2 per hour").withSubject(List.of("global")));
    Problem problem = refused(RuleReference.of("A.b", "3 per hour"));
    assertThat(problem.found()).isEqualTo("'3 per hour' of A.b");
    assertThat(problem.expected()).contains("for '2 per hour' of A.b is called 'A.b'");
  }

  @Test
  void a_disabled_rule_limits_nothing() {
    assertThat(Weirs.bound(weir, RuleReference.of("A.b", "off"))).isEmpty();
  }

  @Test
  void decisions_by_annotation_are_counted_too() {
    weir.limiter()
        .limit(FakeRequest.get("/a"), List.of(bound(RuleReference.of("A.b", "2 per hour"))));
    assertThat(weir.status().decisions())
        .extracting(RequestCounts.Decisions::rule)
        .containsExactly("A.b");
  }

  @Test
  void a_name_that_nothing_has_is_refused_with_the_nearest() {
    Problem problem = refused(RuleReference.of("A.b", "lgoin"));
    assertThat(problem.file()).isEqualTo("A.b");
    assertThat(problem.field()).isEqualTo("annotation");
    assertThat(problem.found()).isEqualTo("'lgoin'");
    assertThat(problem.expected())
        .isEqualTo(
            "a rule or limit of /WEB-INF/weir.yaml (api, candidate, daily, in-place, login, trial), or a limit in"
                + " place such as '5 per minute'");
    assertThat(problem.suggestion()).contains("login");
  }

  @Test
  void what_a_rule_has_itself_is_refused_beside_it() {
    assertThat(refused(RuleReference.of("A.b", "api").withCost(1)).expected())
        .contains("the rule has its own");
    assertThat(refused(RuleReference.of("A.b", "api").withSubject(List.of("ip"))).expected())
        .contains("the rule has its own");
  }

  @Test
  void the_rest_is_judged_as_in_a_file() {
    assertThat(refused(RuleReference.of("A.b", "")).found()).isEqualTo("nothing");
    assertThat(refused(RuleReference.of("A.b", "5 per minut")).suggestion()).contains("minute");
    assertThat(refused(RuleReference.of("A.b", "login").withCost(0)).expected())
        .contains("at least 1");
    assertThat(refused(RuleReference.of("A.b", "login").withCost(6)).expected())
        .contains("at most 5");
    assertThat(
            refused(RuleReference.of("A.b", "login").withSubject(List.of("hedaer:X"))).suggestion())
        .contains("header:X");
    assertThat(refused(RuleReference.of("in-place", "1/s")).expected()).contains("another name");
  }

  @Test
  void a_shadow_is_bound_by_its_own_name_and_its_limit_by_nobody_else() {
    assertThat(bound(RuleReference.of("A.b", "candidate")).onDenial()).isEqualTo(OnDenial.SHADOW);
    Problem problem = refused(RuleReference.of("A.b", "trial"));
    assertThat(problem.found()).isEqualTo("limit 'trial' as of rule 'candidate'");
    assertThat(problem.expected()).startsWith("a limit of its own");
  }

  private Rule bound(RuleReference reference) {
    return Weirs.bound(weir, reference).get(0);
  }

  private Problem refused(RuleReference reference) {
    return Complaints.only(() -> weir.bind(reference));
  }
}

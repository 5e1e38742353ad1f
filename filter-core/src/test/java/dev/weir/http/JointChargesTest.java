package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one request is charged by several rules together. */
class JointChargesTest {

  private static final NamedLimit LIMIT = Rules.limit("limit", "100 per second");

  private final List<Rule> rules = new ArrayList<>();

  private void rule(String match, String subject, long cost) {
    rule(RequestMatcher.of(match), subject, cost);
  }

  private void rule(RequestMatcher matcher, String subject, long cost) {
    rules.add(Rules.rule("r" + rules.size(), matcher, SubjectResolver.of(subject), cost, LIMIT));
  }

  private long dearest() {
    return JointCharges.dearest("limit", rules);
  }

  @Test
  void one_rule_charges_its_cost_and_none_as_good_as_one() {
    assertThat(dearest()).isEqualTo(1);
    rule("/a", "ip", 7);
    assertThat(dearest()).isEqualTo(7);
    assertThat(JointCharges.dearest("another", rules)).isEqualTo(1);
  }

  @Test
  void a_cost_that_a_request_tells_is_reckoned_at_its_most() {
    rule("/**", "ip", 2);
    Cost cost = new Cost.OfHeader("X-Rows", new CostBounds(1, 9, 3));
    rules.add(Rules.rule("told", RequestMatcher.of("/**"), "ip", LIMIT).withCost(cost));
    assertThat(dearest()).isEqualTo(11);
  }

  @Test
  void rules_that_match_one_request_are_summed() {
    rule("/**", "ip", 1);
    rule("/api/**", "ip", 2);
    rule("POST /api/x", "ip", 4);
    assertThat(dearest()).isEqualTo(7);
  }

  @Test
  void rules_that_meet_a_third_but_not_each_other_are_not() {
    rule("/**", "ip", 1);
    for (int i = 0; i < 60; i++) {
      rule("/path" + i, "ip", 1 + i % 5);
    }
    assertThat(dearest()).isEqualTo(6);
  }

  @Test
  void a_cheap_rule_that_comes_first_hides_no_dear_ones() {
    rule("GET /a", "ip", 1);
    rule("/a", "ip", 1);
    rule("POST /a", "ip", 5);
    rule("POST /**", "ip", 5);
    assertThat(dearest()).isEqualTo(11);
  }

  @Test
  void other_subjects_have_counters_of_their_own() {
    rule("/**", "ip", 3);
    rule("/**", "header:X", 4);
    assertThat(dearest()).isEqualTo(4);
  }

  @Test
  void what_one_rule_excepts_it_does_not_charge() {
    rule(Rules.except("/**", "/api/**"), "ip", 3);
    rule("/api/x", "ip", 4);
    assertThat(dearest()).isEqualTo(4);
    rule("/**", "ip", 1);
    assertThat(dearest()).isEqualTo(5);
  }

  @Test
  void an_annotated_rule_may_stand_anywhere_but_beside_another() {
    rules.add(Rules.bound("A.b", "ip", LIMIT));
    rules.add(Rules.bound("A.c", "ip", LIMIT));
    assertThat(dearest()).isEqualTo(1);
    rule("/x", "ip", 5);
    assertThat(dearest()).isEqualTo(6);
  }
}

package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import dev.weir.http.internal.check.AnnotatedRules;
import dev.weir.http.internal.check.JointCharges;
import dev.weir.http.internal.check.RuleAdvice;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.match.RuleIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one request is charged by several rules together. */
class JointChargesTest {

  private static final NamedLimit LIMIT = Rules.limit("limit", "100 per second");

  private final List<Rule> rules = new ArrayList<>();
  private final AnnotatedRules annotated = new AnnotatedRules();

  private void rule(String match, String subject, long cost) {
    rule(RequestMatcher.of(match), subject, cost);
  }

  private void rule(RequestMatcher matcher, String subject, long cost) {
    rules.add(Rules.rule("r" + rules.size(), matcher, SubjectResolver.of(subject), cost, LIMIT));
  }

  private long dearest() {
    return JointCharges.dearest("limit", rules, annotated);
  }

  @Test
  void one_rule_charges_its_cost_and_none_as_good_as_one() {
    assertThat(dearest()).isEqualTo(1);
    rule("/a", "ip", 7);
    assertThat(dearest()).isEqualTo(7);
    assertThat(JointCharges.dearest("another", rules, annotated)).isEqualTo(1);
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

  /** Each pair meets all others: an exact search looks at two to the power of thirty sets. */
  @Test
  @Timeout(value = 10, threadMode = SEPARATE_THREAD)
  void many_rules_that_overlap_are_reckoned_at_once() {
    for (int i = 0; i < 30; i++) {
      String before = "/*".repeat(i);
      String after = "/*".repeat(29 - i);
      rule(before + "/a" + after, "ip", 1 + i % 3);
      rule(before + "/b" + after, "ip", 1 + (i + 1) % 3);
    }
    int pairs = 0;
    for (int i = 0; i < 30; i++) {
      pairs += Math.max(1 + i % 3, 1 + (i + 1) % 3);
    }
    assertThat(dearest()).as("one of each pair").isBetween((long) pairs, 2L * pairs);
    assertThat(RuleAdvice.of(rules, annotated)).as("%d of 100 permits", pairs).isEmpty();
  }

  @Test
  @Timeout(value = 10, threadMode = SEPARATE_THREAD)
  void hundreds_of_rules_are_reckoned_at_once() {
    for (int i = 0; i < 400; i++) {
      rule(i % 2 == 0 ? "/**" : "/path" + i, "ip", 1);
    }
    assertThat(dearest()).isEqualTo(201);
    assertThat(RuleAdvice.of(rules, annotated)).hasSize(1);
  }

  /** A bound may be above what a request is charged, and never below. */
  @Test
  void never_less_is_reckoned_than_a_request_is_charged() {
    Random random = new Random(14);
    List<String> patterns =
        List.of("/**", "/a/**", "/a", "/b", "GET /a", "POST /a", "/*", "GET /**", "/a/b", "/*/b");
    List<String> requests = List.of("GET /a", "POST /a", "GET /b", "POST /a/b", "PUT /c");
    for (int round = 0; round < 500; round++) {
      rules.clear();
      for (int i = random.nextInt(9); i >= 0; i--) {
        rule(patterns.get(random.nextInt(patterns.size())), "ip", 1 + random.nextInt(4));
      }
      RuleIndex index = new RuleIndex(rules);
      for (String request : requests) {
        String[] parts = request.split(" ", 2);
        long charged =
            index.applying(FakeRequest.of(parts[0], parts[1])).stream()
                .mapToLong(applied -> applied.rule().cost().most())
                .sum();
        assertThat(dearest()).as("%s of %s", request, rules).isGreaterThanOrEqualTo(charged);
      }
    }
  }

  @Test
  void subjects_are_compared_part_by_part() {
    rule("/**", "header:a+path", 3);
    rules.add(
        Rules.rule(
            "two parts",
            RequestMatcher.of("/**"),
            SubjectResolver.of("header:a", "path"),
            4,
            LIMIT));
    assertThat(dearest()).as("not one subject, though both are written header:a+path").isEqualTo(4);
  }

  private Rule bound(String element, long cost) {
    Rule rule = Rules.bound(element, "ip", LIMIT).withCost(Cost.of(cost));
    rules.add(rule);
    annotated.add(rule, element);
    return rule;
  }

  @Test
  void an_annotated_rule_may_stand_anywhere_but_beside_another() {
    bound("A.b", 1);
    bound("A.c", 1);
    assertThat(dearest()).isEqualTo(1);
    rule("/x", "ip", 5);
    assertThat(dearest()).isEqualTo(6);
  }

  @Test
  void rules_of_one_annotated_element_are_summed() {
    for (int i = 0; i < 30; i++) {
      bound("A.b" + i, 2);
    }
    assertThat(dearest()).isEqualTo(2);
    bound("A.b7", 3);
    assertThat(dearest()).isEqualTo(5);
    rules.add(Rules.bound("A.b7", "global", LIMIT));
    annotated.add(rules.get(rules.size() - 1), "A.b7");
    assertThat(dearest()).as("another counter").isEqualTo(5);
  }

  @Test
  void a_rule_that_another_element_leads_to_later_leaves_its_group() {
    JointCharges charges = new JointCharges(annotated);
    Rule one = bound("A.one", 3);
    Rule other = bound("A.other", 4);
    rules.forEach(charges::add);
    assertThat(charges.dearest()).isEqualTo(4);
    annotated.add(other, "A.one");
    charges.add(other);
    assertThat(charges.dearest()).isEqualTo(7);
    charges.add(one);
    assertThat(charges.dearest()).as("once each").isEqualTo(7);
  }

  @Test
  void a_rule_with_patterns_that_an_element_names_is_decided_apart_from_what_matches_there() {
    rule("/login", "ip", 60);
    rule("/other", "ip", 70);
    assertThat(dearest()).isEqualTo(70);
    annotated.add(rules.get(0), "A.b");
    assertThat(dearest()).isEqualTo(70);
    assertThat(RuleAdvice.of(rules, annotated)).isEmpty();
    annotated.add(rules.get(1), "A.b");
    assertThat(RuleAdvice.of(rules, annotated)).as("it does").hasSize(1);
  }

  @Test
  void only_what_one_element_leads_to_is_said_to_charge_too_much() {
    bound("A.b", 60);
    bound("A.c", 60);
    assertThat(RuleAdvice.of(rules, annotated)).isEmpty();
    rules.add(Rules.bound("A.c.2", "ip", LIMIT).withCost(Cost.of(41)));
    annotated.add(rules.get(2), "A.c");
    assertThat(RuleAdvice.of(rules, annotated))
        .containsExactly(
            "rules 'A.c', 'A.c.2' together charge limit 'limit' 101 permits for one request, and it grants 100 at most: what all of them match is always denied");
  }

  /** Annotations lead to some rules, with patterns and without, one after another. */
  @Test
  void never_less_is_reckoned_than_an_annotated_element_is_charged() {
    Random random = new Random(9);
    List<String> patterns = List.of("/**", "/a/**", "/b", "POST /a", "/a/b");
    List<String> elements = List.of("A.a", "A.b", "B.c");
    for (int round = 0; round < 500; round++) {
      List<Rule> made = new ArrayList<>();
      AnnotatedRules bindings = new AnnotatedRules();
      Map<String, Set<Rule>> ofElement = new HashMap<>();
      JointCharges charges = new JointCharges(bindings);
      for (int i = random.nextInt(7); i >= 0; i--) {
        String pattern = patterns.get(random.nextInt(patterns.size()));
        Rule rule =
            random.nextBoolean()
                ? Rules.rule("r" + i, RequestMatcher.of(pattern), "ip", LIMIT)
                : Rules.bound("r" + i, "ip", LIMIT);
        made.add(rule.withCost(Cost.of(1 + random.nextInt(4))));
      }
      made.forEach(charges::add);
      for (int i = random.nextInt(9); i >= 0; i--) {
        Rule rule = made.get(random.nextInt(made.size()));
        String element = elements.get(random.nextInt(elements.size()));
        ofElement.computeIfAbsent(element, none -> new HashSet<>()).add(rule);
        bindings.add(rule, element);
        charges.add(rule);
      }
      RuleIndex index =
          new RuleIndex(made.stream().filter(rule -> rule.match().isPresent()).toList());
      for (String path : List.of("/a", "/b", "/a/b", "/c")) {
        for (String element : elements) {
          Set<Rule> named = ofElement.getOrDefault(element, Set.of());
          List<Rule> matched = MatchedRule.rules(index.applying(FakeRequest.of("POST", path)));
          assertThat(charges.dearest())
              .as("%s at %s of %s, %s", path, element, made, ofElement)
              .isGreaterThanOrEqualTo(sum(named))
              .isGreaterThanOrEqualTo(sum(matched));
        }
      }
    }
  }

  private static long sum(Collection<Rule> charged) {
    return charged.stream().mapToLong(rule -> rule.cost().most()).sum();
  }
}

package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.Rule.NamedLimit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes a rule. */
class RuleTest {

  private static final NamedLimit FIVE = Rules.limit("five", "5 per second");
  private static final NamedLimit NINE = Rules.limit("nine", "9 per second window");

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
  void a_cost_is_positive(long cost) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("r", cost, FIVE))
        .withMessage("cost: " + cost + " (expected: > 0)");
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 9, 1L << 31, (1L << 53) + 1, Long.MAX_VALUE})
  void a_cost_that_some_limit_never_grants_is_refused(long cost) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("r", cost, NINE, FIVE))
        .withMessageStartingWith("cost: " + cost + " (expected: at most ")
        .withMessageContaining("never grants it");
  }

  @Test
  void the_most_that_a_request_may_tell_of_its_cost_is_one_that_every_limit_grants() {
    Cost cost = new Cost.OfQuery("size", new Cost.Bounds(1, 6, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("r", 1, NINE, FIVE).toBuilder().cost(cost).build())
        .withMessageStartingWith("cost: 6 (expected: at most 5");
  }

  @Test
  void a_cost_may_be_all_of_a_limit() {
    assertThat(rule("r", 5, NINE, FIVE).cost().most()).isEqualTo(5);
  }

  @Test
  void a_rule_has_limits_each_once() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("r", 1))
        .withMessage("limits: [] (expected: at least one limit)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule("r", 1, FIVE, FIVE))
        .withMessage("limits: five (expected: each limit once)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t"})
  void a_rule_has_a_name(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule(name, 1, FIVE))
        .withMessageStartingWith("name: '")
        .withMessageEndingWith("(expected: a name that is not blank)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\"b", "a\\b", "{a}", "é", "a\nb"})
  void a_limit_has_a_name_that_can_stand_in_a_field_and_a_key(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rules.limit(name, "5/s"))
        .withMessageStartingWith("name: '");
  }

  @Test
  void says_its_name() {
    assertThat(rule("login", 1, FIVE)).hasToString("login");
    assertThat(Rules.except("POST /a", "/b").toString()).isEqualTo("POST /a except /b");
  }

  private static Rule rule(String name, long cost, NamedLimit... limits) {
    return Rule.builder(name)
        .subject(SubjectResolver.of("ip"))
        .limits(List.of(limits))
        .cost(cost)
        .build();
  }
}

package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.internal.check.PatternAdvice;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule for what the container answers by itself would be believed in, and limit nothing. */
class ContainerLoginAdviceTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/j_security_check",
        "POST /j_security_check",
        "/account/j_security_check",
        "/*/j_security_check",
        "/j_security_check/",
        "/j_security_check/**",
        "//shop.example/j_security_check"
      })
  void a_rule_for_it_is_warned_of(String pattern) {
    Rule rule = Rules.rule("login", RequestMatcher.of("/login", pattern), "ip", Rules.PLENTY);
    assertThat(PatternAdvice.ofContainerLogin(List.of(rule)))
        .containsExactly(
            "rule 'login' matches '"
                + pattern
                + "', but a container answers its own form login before any filter runs: such"
                + " requests are not counted. Tomcat counts them with RateLimitValve");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/**", "/login", "/j_security_check/help", "/*", "/my_j_security_check"})
  void other_rules_are_not(String pattern) {
    assertThat(PatternAdvice.ofContainerLogin(List.of(Rules.matching(pattern)))).isEmpty();
  }

  @Test
  void an_exception_for_it_does_no_harm() {
    RequestMatcher except = Rules.except("/**", "/j_security_check");
    Rule rule = Rules.rule("all", except, "ip", Rules.PLENTY);
    assertThat(PatternAdvice.ofContainerLogin(List.of(rule))).isEmpty();
  }

  @Test
  void the_log_tells_when_it_starts() {
    String yaml = "rules: [{ name: login, match: /j_security_check, limits: [5 per minute] }]";
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = Weir.of(yaml)) {
      assertThat(weir.rules()).hasSize(1);
      assertThat(log.records())
          .filteredOn(record -> record.getLevel().equals(Level.WARNING))
          .singleElement()
          .satisfies(
              record ->
                  assertThat(record.getMessage()).contains("login").contains("j_security_check"));
    }
  }
}

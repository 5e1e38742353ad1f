package com.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.config.Weir;
import dev.weir.http.OnDenial;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.limit.TokenBucket;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rule in code, as a user writes it. */
class RuleBuilderTest {

  private final Rule tenants =
      Rule.builder("tenants")
          .match("/api/**")
          .except("/api/health")
          .subject("tenant", RuleBuilderTest::tenant)
          .limit("api", "20 per second, burst 40")
          .limit("day", "1000 per day window UTC")
          .cost(2)
          .count("2xx", "401")
          .build();

  private static Optional<String> tenant(RequestView request) {
    return request.headers("X-Tenant").stream().findFirst();
  }

  @Test
  void says_what_it_was_built_of() {
    assertThat(tenants.name()).isEqualTo("tenants");
    assertThat(tenants.match()).map(Object::toString).contains("/api/** except /api/health");
    assertThat(tenants.subject()).hasToString("class:tenant");
    assertThat(tenants.limits())
        .extracting(limit -> limit.name() + ": " + limit.limit())
        .containsExactly("api: 20 per second, burst 40", "day: 1000 per day window UTC");
    assertThat(tenants.cost().most()).isEqualTo(2);
    assertThat(tenants.counted().contains(401)).isTrue();
    assertThat(tenants.counted().contains(500)).isFalse();
  }

  @Test
  void counts_by_address_at_one_permit_unless_told_otherwise() {
    Rule rule = Rule.builder("all").limit("all", "5 per minute").build();
    assertThat(rule.match()).isEmpty();
    assertThat(rule.subject()).hasToString("ip");
    assertThat(rule.cost().most()).isEqualTo(1);
    assertThat(rule.onDenial()).isEqualTo(OnDenial.REJECT);
  }

  @Test
  void names_limits_in_place_as_a_file_does() {
    Rule login =
        Rule.builder("login")
            .match("/login")
            .limit("5 per minute")
            .limit("all", "100 per second")
            .limit(TokenBucket.perDay(50))
            .build();
    String file = "{ name: login, match: /login, limits: [5 per minute, all, 50 per day] }";
    try (Weir weir = Weir.of("limits: { all: 100 per second }\nrules: [" + file + "]")) {
      assertThat(weir.rules().get(0).limits()).isEqualTo(login.limits());
    }
    assertThat(login.limits())
        .extracting(Rule.NamedLimit::name)
        .containsExactly("login", "all", "login.2");
  }

  @Test
  void refuses_a_limit_in_place_whose_name_is_taken() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.builder("all").limit("all", "5 per hour").limit("9 per day").build())
        .withMessage("limits: all (expected: each limit once)");
    Rule once = Rule.builder("once").limit("5 per hour").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> once.toBuilder().limit("9 per day").build())
        .withMessage("limits: once (expected: each limit once)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              Rule login = Rule.builder("login").limit("5 per hour").build();
              Weir.builder().limit("login", TokenBucket.perHour(6)).rule(login).start();
            })
        .withMessage("limits: 'login' as 5 per hour (expected: '6 per hour', as elsewhere)");
  }

  @Test
  void can_be_changed_and_is_then_another_rule() {
    Rule shadow = tenants.toBuilder().onDenial(OnDenial.SHADOW).build();
    assertThat(shadow.isShadow()).isTrue();
    assertThat(shadow).isNotEqualTo(tenants);
    assertThat(tenants.toBuilder().build()).isEqualTo(tenants).isNotSameAs(tenants);
  }

  @Test
  void starts_a_weir() {
    try (Weir weir = Weir.builder().rule(tenants).start()) {
      assertThat(weir.rules()).containsExactly(tenants);
    }
  }

  @Test
  void without_a_limit_it_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.builder("none").match("/**").build())
        .withMessage("limits: [] (expected: at least one limit)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.builder(" "))
        .withMessageStartingWith("name: ' '");
  }

  @Test
  void patterns_and_a_matcher_contradict_each_other() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Rule.builder("both")
                    .match(tenants.match().orElseThrow())
                    .match("/**")
                    .limit("all", "5 per minute")
                    .build())
        .withMessage("match: [/**] (expected: patterns or a matcher, and not both)");
  }
}

package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.internal.check.RuleAdvice;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.store.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What rules do with clients that are on their lists. */
class ClientPolicyTest extends LimiterUnderTest {

  private static final Clients PARTNERS = Clients.in(List.of("192.0.2.0/24"));
  private static final Clients ENEMIES = Clients.in(List.of("192.0.2.66", "198.51.100.66"));
  private static final String FRIEND = "192.0.2.1";
  private static final String ENEMY = "198.51.100.66";

  private static final ClientPolicy LISTS =
      ClientPolicy.SAME_FOR_ALL.withAllowed(PARTNERS).withDenied(ENEMIES);

  private final Rule login =
      Rules.rule("login", RequestMatcher.of("/login"), "global", LOGIN).toBuilder()
          .clients(LISTS)
          .build();
  private final Rule all = Rules.rule("all", RequestMatcher.of("/**"), "global", API);

  @Test
  void who_is_denied_is_refused_for_good_and_charged_nothing() {
    RuleLimiter limiter = limiter(all, login);
    Rejected refused = rejected(limiter.limit(FakeRequest.get("/login").from(ENEMY)));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.fields()).containsExactly(new Field("Cache-Control", "no-store"));
    assertThat(refused.body())
        .isEqualTo(
            new Body.Text(
                "application/problem+json",
                "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403,\"detail\":\"This"
                    + " client is refused.\"}"));
    assertThat(field(limiter.limit(FakeRequest.get("/x")), "RateLimit"))
        .as("the first charge of all")
        .startsWith("\"api\";r=4;");
  }

  @Test
  void a_list_holds_where_its_rule_applies() {
    assertThat(limiter(all, login).limit(FakeRequest.get("/x").from(ENEMY)))
        .isInstanceOf(Passed.class);
  }

  @Test
  void who_is_on_both_lists_is_denied() {
    assertThat(limiter(login).limit(FakeRequest.get("/login").from("192.0.2.66")))
        .isInstanceOf(Rejected.class);
  }

  @Test
  void who_is_allowed_passes_that_rule_and_no_other() {
    RuleLimiter limiter = limiter(all, login);
    for (int i = 0; i < 5; i++) {
      Outcome passed = limiter.limit(FakeRequest.get("/login").from(FRIEND));
      assertThat(field(passed, "RateLimit-Policy")).startsWith("\"api\";").doesNotContain("login");
    }
    assertThat(rejected(limiter.limit(FakeRequest.get("/login").from(FRIEND))).status())
        .isEqualTo(429);
  }

  @Test
  void who_is_allowed_by_all_rules_passes_silently_and_leaves_the_permits_to_others() {
    RuleLimiter limiter = limiter(login);
    for (int i = 0; i < 9; i++) {
      assertThat(limiter.limit(FakeRequest.get("/login").from(FRIEND))).isSameAs(Passed.SILENTLY);
    }
    exhaust(limiter, FakeRequest.get("/login").from("203.0.113.9"), 2);
  }

  @Test
  void a_rule_may_do_nothing_but_deny() {
    RuleLimiter limiter = limiter(denying(ENEMIES), login);
    assertThat(limiter.limit(FakeRequest.get("/").from(ENEMY))).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(FakeRequest.get("/").from(FRIEND))).isSameAs(Passed.SILENTLY);
    assertThat(field(limiter.limit(FakeRequest.get("/login").from("203.0.113.9")), "RateLimit"))
        .startsWith("\"login\";r=1;");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> denying(Clients.NONE))
        .withMessageStartingWith("limits: []");
  }

  @Test
  void a_rule_that_limits_nobody_guards_no_other() {
    Rule byKey = Rules.rule("key", RequestMatcher.of("/**"), "header:X", LOGIN);
    assertThat(RuleAdvice.of(List.of(byKey, denying(ENEMIES)))).hasSize(1);
    assertThat(RuleAdvice.of(List.of(byKey, all))).isEmpty();
  }

  @Test
  void the_listener_hears_who_decided() {
    List<String> received = new ArrayList<>();
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onRequestDecided(
              List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
            received.add(
                rules
                    + " "
                    + outcome
                    + " "
                    + decision.map(it -> it.source().name()).orElse("uncounted"));
          }
        };
    RuleLimiter limiter =
        RuleLimiter.of(
            List.of(all, login), store, RuleLimiter.Settings.DEFAULT.withListener(listener));
    FakeRequest enemy = FakeRequest.get("/login").from(ENEMY);
    limiter.limit(enemy);
    FakeRequest friend = FakeRequest.get("/login").from(FRIEND);
    limiter.limit(friend);
    limiter.limit(friend);
    assertThat(received)
        .containsExactly(
            "[login] DENIED uncounted", "[login] ALLOWED uncounted", "[all] ALLOWED LOCAL");
  }

  @Test
  void who_was_denied_sees_the_error_page() {
    RuleLimiter limiter = limiter(login);
    FakeRequest request = FakeRequest.get("/login").from(ENEMY);
    assertThat(limiter.limit(request)).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(request)).isInstanceOf(Passed.class);
  }

  @Test
  void an_outage_neither_frees_who_is_denied_nor_limits_who_is_allowed() {
    store.close();
    RuleLimiter limiter = limiter(login.toBuilder().clients(LISTS).build());
    assertThat(rejected(limiter.limit(FakeRequest.get("/login").from(ENEMY))).status())
        .isEqualTo(403);
    assertThat(limiter.limit(FakeRequest.get("/login").from(FRIEND))).isSameAs(Passed.SILENTLY);
  }

  @Test
  void a_list_of_addresses_wants_the_address() {
    assertThat(login.reasonForAddress())
        .hasValue("a list of the rule identifies clients by their address");
    assertThat(all.reasonForAddress()).isEmpty();
    assertThat(Rules.matching("/").reasonForAddress()).isPresent();
  }

  private static Rule denying(Clients clients) {
    return Rule.builder("block")
        .match(RequestMatcher.of("/**"))
        .subject(SubjectResolver.of("ip"))
        .clients(ClientPolicy.SAME_FOR_ALL.withDenied(clients))
        .build();
  }
}

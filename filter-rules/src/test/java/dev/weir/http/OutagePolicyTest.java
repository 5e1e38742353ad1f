package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a request is answered when the store cannot decide. */
class OutagePolicyTest {

  private static final LimitStore GONE =
      store(
          acquire -> {
            throw new StoreUnavailableException("gone", Duration.ofMillis(2_100), null);
          });

  private static final LimitStore BROKEN =
      store(
          acquire -> {
            throw new ArithmeticException("a bug");
          });

  @Test
  void deny_is_503_with_the_next_probe_as_retry_after_and_no_rate_limit_fields() {
    Rejected rejected = rejected(outcome(GONE, OnOutage.DENY));
    assertThat(rejected.status()).isEqualTo(503);
    assertThat(field(rejected, "Retry-After")).isEqualTo("3");
    assertThat(field(rejected, "Cache-Control")).isEqualTo("no-store");
    assertThat(rejected.fields()).hasSize(2);
    assertThat(rejected.body().toString())
        .contains("#temporary-reduced-capacity")
        .contains("\"status\":503")
        .doesNotContain("violated-policies");
  }

  @Test
  void a_probe_that_is_due_is_a_second_away() {
    LimitStore due =
        store(
            acquire -> {
              throw new StoreUnavailableException("gone", Duration.ZERO, null);
            });
    assertThat(field(outcome(due, OnOutage.DENY), "Retry-After")).isEqualTo("1");
  }

  @Test
  void allow_passes_and_says_nothing() {
    assertThat(outcome(GONE, OnOutage.ALLOW)).isSameAs(Passed.SILENTLY);
  }

  @Test
  void local_without_a_local_store_denies() {
    assertThat(rejected(outcome(GONE, OnOutage.LOCAL)).status()).isEqualTo(503);
  }

  @Test
  void the_strictest_of_the_rules_that_apply_holds() {
    assertThat(outcome(GONE, OnOutage.ALLOW, OnOutage.DENY)).isInstanceOf(Rejected.class);
    assertThat(outcome(GONE, OnOutage.ALLOW, OnOutage.LOCAL)).isInstanceOf(Rejected.class);
    assertThat(outcome(GONE, OnOutage.ALLOW, OnOutage.ALLOW)).isInstanceOf(Passed.class);
  }

  @Test
  void a_denial_counts_for_the_rule_whose_policy_denies() {
    List<String> denying = new ArrayList<>();
    limiter(
            GONE,
            new RuleListener() {
              @Override
              public void onRequestDecided(
                  List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
                rules.forEach(rule -> denying.add(rule.name()));
              }
            },
            OnOutage.ALLOW,
            OnOutage.DENY,
            OnOutage.DENY)
        .limit(FakeRequest.get("/"));
    assertThat(denying).containsExactly("rule1");
  }

  @Test
  void a_bug_in_a_store_is_answered_by_the_same_policy_and_reported() {
    List<String> errors = new ArrayList<>();
    assertThat(rejected(outcome(BROKEN, errors, OnOutage.DENY)).status()).isEqualTo(503);
    assertThat(outcome(BROKEN, errors, OnOutage.ALLOW)).isSameAs(Passed.SILENTLY);
    assertThat(errors)
        .containsExactly(
            "decision failed: ArithmeticException", "decision failed: ArithmeticException");
  }

  @Test
  void one_limit_bound_under_other_numbers_is_a_bug_too_and_no_500() {
    List<String> errors = new ArrayList<>();
    RuleLimiter limiter = limiter(GONE, errors, OnOutage.ALLOW);
    Rule one = Rules.bound("one", "ip", Rules.limit("api", "5 per second"));
    Rule other = Rules.bound("other", "ip", Rules.limit("api", "6 per second"));
    Outcome outcome = limiter.limit(FakeRequest.get("/"), List.of(one, other));
    assertThat(rejected(outcome).status()).isEqualTo(503);
    assertThat(errors).containsExactly("decision failed: InvalidValueException");
  }

  @Test
  void what_was_decided_before_the_outage_is_still_told() {
    Rule annotated =
        Rule.builder("annotated")
            .subject(SubjectResolver.of("ip"))
            .limit(Rules.PLENTY)
            .onOutage(OnOutage.ALLOW)
            .build();
    FakeRequest request = FakeRequest.get("/");
    Outcome first = limiter(LocalLimitStore.of(), new ArrayList<>(), OnOutage.ALLOW).limit(request);
    Outcome second =
        limiter(GONE, new ArrayList<>(), OnOutage.ALLOW).limit(request, List.of(annotated));
    assertThat(second).isEqualTo(first).isNotSameAs(Passed.SILENTLY);
  }

  private static Outcome outcome(LimitStore store, OnOutage... policies) {
    return outcome(store, new ArrayList<>(), policies);
  }

  private static Outcome outcome(LimitStore store, List<String> errors, OnOutage... policies) {
    return limiter(store, errors, policies).limit(FakeRequest.get("/"));
  }

  private static RuleLimiter limiter(LimitStore store, List<String> errors, OnOutage... policies) {
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onError(String what, Throwable error) {
            errors.add(what + ": " + error.getClass().getSimpleName());
          }
        };
    return limiter(store, listener, policies);
  }

  private static RuleLimiter limiter(
      LimitStore store, RuleListener listener, OnOutage... policies) {
    List<Rule> rules = new ArrayList<>();
    for (OnOutage policy : policies) {
      rules.add(
          Rule.builder("rule" + rules.size())
              .match(RequestMatcher.of("/**"))
              .subject(SubjectResolver.of("ip"))
              .limit(Rules.PLENTY)
              .onOutage(policy)
              .build());
    }
    return RuleLimiter.of(rules, store, RuleLimiter.Settings.DEFAULT.withListener(listener));
  }

  private interface Deciding {
    Decision decide(AcquireRequest acquire) throws StoreUnavailableException;
  }

  private static LimitStore store(Deciding deciding) {
    return new LimitStore() {
      @Override
      public Decision decide(AcquireRequest acquire) throws StoreUnavailableException {
        return deciding.decide(acquire);
      }

      @Override
      public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline) {
        return Set.of();
      }

      @Override
      public void close() {}
    };
  }
}

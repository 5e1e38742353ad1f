package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.FakeRequest;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Listeners are added to a running Weir, and removed from it. */
class ListenersTest {

  private static final String RULES =
      "rules: [{ name: all, match: /**, subject: global, limits: 2 per hour }]";

  /** Records what it is notified of. */
  private static final class Kept implements RuleListener {

    private final List<String> received = new ArrayList<>();

    @Override
    public void onDecision(AcquireRequest request, Decision decision, Duration took) {
      received.add("store " + decision.allowed());
    }

    @Override
    public void onRequestDecided(
        List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
      received.add(rules.stream().map(Rule::name).toList() + " " + outcome);
    }
  }

  @Test
  void one_hears_from_when_it_is_added_until_it_is_removed() {
    Kept kept = new Kept();
    try (Weir weir = Weir.of(RULES)) {
      Weirs.passing(weir, 1, () -> FakeRequest.get("/"));
      weir.addListener(kept);
      Weirs.passing(weir, 2, () -> FakeRequest.get("/"));
      weir.removeListener(kept);
      Weirs.passing(weir, 1, () -> FakeRequest.get("/"));
    }
    assertThat(kept.received)
        .containsExactly("store true", "[all] ALLOWED", "store false", "[all] DENIED");
  }

  @Test
  void what_a_shadow_would_deny_is_told_from_what_is_denied() {
    Kept kept = new Kept();
    try (Weir weir = Weir.of(RULES.replace("2 per hour", "1 per hour, on-denial: shadow"))) {
      weir.addListener(kept);
      assertThat(Weirs.passing(weir, 2, () -> FakeRequest.get("/"))).isEqualTo(2);
    }
    assertThat(kept.received)
        .containsExactly("store true", "[all] ALLOWED", "store false", "[all] SHADOW_DENIED");
  }

  @Test
  void one_that_throws_harms_neither_requests_nor_others() {
    Kept kept = new Kept();
    try (Weir weir = Weir.of(RULES)) {
      weir.addListener(
          new RuleListener() {
            @Override
            public void onDecision(AcquireRequest request, Decision decision, Duration took) {
              throw new IllegalStateException("of the listener");
            }
          });
      weir.addListener(kept);
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/"))).isEqualTo(2);
    }
    assertThat(kept.received).hasSize(6);
  }

  @Test
  void where_several_share_a_configuration_a_listener_ends_with_who_added_it() {
    Kept kept = new Kept();
    try (Weir shared = Weir.of(RULES)) {
      try (Weir joined = Weir.join(WeirSource.of("metrics"))) {
        joined.addListener(kept);
        Weirs.passing(shared, 1, () -> FakeRequest.get("/"));
      }
      Weirs.passing(shared, 1, () -> FakeRequest.get("/"));
      assertThat(kept.received).containsExactly("store true", "[all] ALLOWED");
    }
  }

  @Test
  void nobody_is_no_listener() {
    GuardedRuleListener listeners = new GuardedRuleListener(new EventCounts());
    listeners.add(RuleListener.NONE);
    assertThat(listeners.receivesDecisions()).isFalse();
    Kept kept = new Kept();
    listeners.add(kept);
    assertThat(listeners.receivesDecisions()).isTrue();
    listeners.remove(kept);
    assertThat(listeners.receivesDecisions()).isFalse();
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts.Decisions;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.Source;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WeirStatusTest {

  private static final String YAML =
      """
      nodes: 2
      rules:
        - { name: login, match: POST /login, limits: 2 per hour }
        - { name: all, match: /**, limits: 1000 per hour }
      """;

  private final ClassLoader application = Weirs.application();

  @Test
  void decisions_are_counted_by_rule_outcome_and_source() {
    try (Weir weir = Weir.open(Weirs.webInf(YAML, application))) {
      assertThat(weir.status().decisions()).isEmpty();
      Weirs.passing(weir, 3, () -> FakeRequest.post("/login"));
      Weirs.passing(weir, 4, () -> FakeRequest.get("/other"));
      assertThat(weir.status().decisions())
          .containsExactly(
              new Decisions("all", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 5),
              new Decisions("login", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 1),
              new Decisions("login", RuleOutcome.DENIED, Optional.of(Source.LOCAL), 2));
    }
  }

  @Test
  void a_denial_counts_for_the_rule_that_denied() {
    String yaml =
        """
        rules:
          - { name: key, match: /**, subject: header:X-Key, limits: 5 per hour }
          - { name: wide, match: /**, limits: 1000 per hour }
          - { name: tight, match: /**, limits: 2 per hour }
        """;
    try (Weir weir = Weir.open(Weirs.webInf(yaml, application))) {
      Weirs.passing(weir, 3, () -> FakeRequest.get("/").header("X-Key", "a"));
      assertThat(weir.status().decisions())
          .containsExactly(
              new Decisions("key", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 2),
              new Decisions("tight", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 2),
              new Decisions("tight", RuleOutcome.DENIED, Optional.of(Source.LOCAL), 1),
              new Decisions("wide", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 2));
    }
  }

  @Test
  void what_a_shadow_would_deny_is_counted_apart_from_what_is_denied() {
    String yaml =
        """
        rules:
          - { name: all, match: /**, limits: 2 per hour }
          - { name: candidate, match: /**, limits: 1 per hour, on-denial: shadow }
        """;
    try (Weir weir = Weir.open(Weirs.webInf(yaml, application))) {
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/"))).isEqualTo(2);
      assertThat(weir.status().decisions())
          .containsExactly(
              new Decisions("all", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 2),
              new Decisions("all", RuleOutcome.DENIED, Optional.of(Source.LOCAL), 3),
              new Decisions("candidate", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 1),
              new Decisions("candidate", RuleOutcome.SHADOW_DENIED, Optional.of(Source.LOCAL), 4));
    }
  }

  @Test
  void a_client_that_one_rule_refuses_counts_for_that_rule() {
    String yaml =
        """
        rules:
          - { name: all, match: /**, limits: 1000 per hour }
          - { name: listed, match: /**, limits: 1000 per hour, deny: 192.0.2.66 }
        """;
    try (Weir weir = Weir.open(Weirs.webInf(yaml, application))) {
      weir.limiter().limit(FakeRequest.get("/").from("192.0.2.66"));
      assertThat(weir.status().decisions())
          .containsExactly(new Decisions("listed", RuleOutcome.DENIED, Optional.empty(), 1));
    }
  }

  @Test
  void without_redis_the_process_decides_for_the_nodes_configured() {
    try (Weir weir = Weir.open(Weirs.webInf(YAML, application))) {
      WeirStatus status = weir.status();
      assertThat(status.store()).isEqualTo(Source.LOCAL);
      assertThat(status.redis()).isEmpty();
      assertThat(status.liveNodes()).isEqualTo(2);
      assertThat(status.node()).isNotBlank().isEqualTo(weir.status().node());
    }
  }

  @Test
  void what_clients_send_does_not_make_it_grow() {
    try (Weir weir = Weir.open(Weirs.webInf(YAML, application))) {
      for (int i = 0; i < 500; i++) {
        weir.limiter().limit(FakeRequest.get("/" + i).header("X-API-Key", "key" + i));
      }
      assertThat(weir.status().decisions())
          .isEqualTo(
              List.of(new Decisions("all", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 500)));
    }
  }
}

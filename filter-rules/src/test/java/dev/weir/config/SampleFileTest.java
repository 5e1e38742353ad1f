package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.internal.read.Settings;
import dev.weir.http.FakeRequest;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.store.OnOutage;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A file with most kinds of settings, as in the guide, and what comes of it. */
class SampleFileTest {

  static final String SAMPLE =
      """
      application: shop
      redis: ${WEIR_REDIS:-}
      nodes: 3
      on-outage: local
      client-address: { trusted-proxies: [10.0.0.0/8], header: X-Forwarded-For, ipv6-prefix: 64 }
      paths: { ignore-case: false, ignore-trailing-slash: true }
      responses: { denied: problem, fields: draft-11, legacy-headers: false }
      limits:
        flood:  100 per second, burst 300
        login:  5 per minute
        api:    20 per second, burst 40
        daily:  100_000 per day window Europe/Berlin
        weekly: { fixed-window: 1000 per week, align: Europe/Berlin }
        fast:   { token-bucket: 20 per second, burst: 40 }
        search: 30 per 10s sliding
        slow:   { sliding-window: 30 per minute, sub-windows: 6 }
        export: 2 per second leaky, capacity 20
        even:   { leaky-bucket: 2 per second, capacity: 20 }
      rules:
        - { name: flood,  match: /**, except: [/health, /static/**], subject: ip, limits: [flood] }
        - { name: login,  match: POST /login,     subject: ip,                 limits: [login] }
        - { name: api,    match: /api/**,         subject: header:X-API-Key,   limits: [api, daily], on-outage: deny }
        - { name: export, match: GET /api/export, subject: header:X-API-Key,   limits: [fast, export, even], cost: 5 }
        - { name: report, match: annotations, subject: [ip, path], limits: 2 per hour }
        - { name: search, match: /search,     subject: ip,                 limits: [search, slow] }
        - { name: old,    match: /old, limits: weekly, enabled: false }
      """;

  private final Settings settings = Weirs.settings(SAMPLE);

  @Test
  void an_empty_redis_is_none() {
    assertThat(settings.counting().redis()).isEmpty();
    assertThat(settings.counting().nodes()).isEqualTo(3);
    assertThat(settings.counting().deadline()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void redis_comes_from_the_environment() {
    Settings shared = Weirs.settings(SAMPLE, FakeVariables.of("WEIR_REDIS", "redis://cache:6379"));
    assertThat(shared.counting().redis())
        .hasValueSatisfying(
            redis -> {
              assertThat(redis.application()).isEqualTo("shop");
              assertThat(redis.toString()).startsWith("redis://cache:6379");
            });
  }

  @Test
  void limits_are_known_by_name() {
    assertThat(settings.limits().byName().keySet())
        .containsExactlyInAnyOrder(
            "flood", "login", "api", "daily", "weekly", "fast", "search", "slow", "export", "even");
    assertThat(limit("even")).isEqualTo(limit("export"));
    assertThat(limit("flood")).isEqualTo(Limit.parse("100 per second, burst 300"));
    assertThat(limit("fast")).isEqualTo(Limit.parse("20 per second, burst 40"));
    assertThat(limit("search")).isEqualTo(SlidingWindow.of(30, Duration.ofSeconds(10)));
    assertThat(limit("slow")).isEqualTo(new SlidingWindow(30, Duration.ofMinutes(1), 6));
    assertThat(limit("weekly"))
        .isEqualTo(
            new FixedWindow(
                1000, new CalendarWindow(CalendarWindow.Unit.WEEK, ZoneId.of("Europe/Berlin"))));
  }

  @Test
  void rules_stand_in_their_order() {
    assertThat(settings.rules().enabled().stream().map(Rule::name))
        .containsExactly("flood", "login", "api", "export", "report", "search");
    assertThat(settings.rules().disabled()).containsExactly("old");
    Rule api = settings.rules().enabled().get(2);
    assertThat(api.onOutage()).isEqualTo(OnOutage.DENY);
    assertThat(api.limits().stream().map(NamedLimit::name)).containsExactly("api", "daily");
    assertThat(settings.rules().enabled().get(3).cost().most()).isEqualTo(5);
  }

  @Test
  void a_limit_in_place_is_named_after_its_rule() {
    Rule report = settings.rules().enabled().get(4);
    assertThat(report.match()).isEmpty();
    assertThat(report.limits())
        .containsExactly(new NamedLimit("report", Limit.parse("2 per hour")));
  }

  @Test
  void it_decides() {
    try (Weir weir = Weir.open(Weirs.webInf(SAMPLE, Weirs.application()))) {
      assertThat(Weirs.passing(weir, 20, () -> FakeRequest.post("/login")))
          .as("a third of 5 per minute, rounded up")
          .isEqualTo(2);
      assertThat(Weirs.passing(weir, 500, () -> FakeRequest.get("/health"))).isEqualTo(500);
      assertThat(Weirs.passes(weir, FakeRequest.get("/api/export").header("X-API-Key", "a")))
          .isTrue();
    }
  }

  @Test
  void a_limit_that_no_rule_uses_is_worth_a_word() {
    assertThat(
            Weirs.settings("limits: { a: 1/s, b: 1/s }\nrules: [{name: r, match: /**, limits: a}]")
                .origin()
                .notes())
        .containsExactly("no rule uses b: nothing is limited by it");
    assertThat(Weirs.settings("application: shop").origin().notes())
        .containsExactly("there is no rule: nothing is limited");
    assertThat(settings.origin().notes()).isEmpty();
  }

  private Limit limit(String name) {
    return Objects.requireNonNull(settings.limits().byName().get(name)).limit();
  }
}

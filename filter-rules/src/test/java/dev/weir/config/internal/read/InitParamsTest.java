package dev.weir.config.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.config.Weirs;
import dev.weir.http.CountedResponses;
import dev.weir.http.DenialResponse;
import dev.weir.http.FakeRequest;
import dev.weir.http.OnDenial;
import dev.weir.http.ResponseStyle;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.limit.Limit;
import dev.weir.store.OnOutage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One rule without a file. */
class InitParamsTest {

  @Test
  void a_limit_alone_limits_every_address_everywhere() {
    Rule rule =
        Weirs.settings(Map.of("limit", "100 per second, burst 200")).rules().enabled().get(0);
    assertThat(rule.name()).isEqualTo("limits");
    assertThat(rule.subject()).hasToString("ip");
    assertThat(rule.match()).isPresent();
    assertThat(rule.limits())
        .containsExactly(new NamedLimit("limits", Limit.parse("100 per second, burst 200")));
    assertThat(rule.onOutage()).isEqualTo(OnOutage.LOCAL);
  }

  @Test
  void every_setting_of_a_file_has_its_param() {
    Settings settings =
        Weirs.settings(
            Map.ofEntries(
                Map.entry("name", "exports"),
                Map.entry("limit", "20/s\n1000 per day window UTC"),
                Map.entry("subject", "header:X-API-Key, path"),
                Map.entry("match", "GET,POST /a/**, /b"),
                Map.entry("except", "/a/health\n/a/info"),
                Map.entry("when", "Mon-Fri 07:00-19:00 Europe/Berlin\nSat,Sun UTC"),
                Map.entry("missing", "shared"),
                Map.entry("cost", "2"),
                Map.entry("count", "401, 5xx"),
                Map.entry("on-denial", "degrade to /cheap"),
                Map.entry("enabled", "true"),
                Map.entry("application", "shop"),
                Map.entry("redis", "redis://cache"),
                Map.entry("deadline", "50ms"),
                Map.entry("clock", "node"),
                Map.entry("secret", "hush hush hush hush"),
                Map.entry("user", "weir"),
                Map.entry("password", "hush"),
                Map.entry("nodes", "4"),
                Map.entry("max-counters", "5_000"),
                Map.entry("on-outage", "deny"),
                Map.entry("trusted-proxies", "10.0.0.0/8, 192.0.2.1"),
                Map.entry("header", "Forwarded"),
                Map.entry("ipv6-prefix", "56"),
                Map.entry("ignore-case", "true"),
                Map.entry("ignore-trailing-slash", "false"),
                Map.entry("denied", "error-page"),
                Map.entry("legacy-headers", "true"),
                Map.entry("legacy-reset", "epoch")));
    assertThat(settings.counting().maxCounters()).isEqualTo(5_000);
    Rule rule = settings.rules().enabled().get(0);
    assertThat(rule.name()).isEqualTo("exports");
    assertThat(rule.subject()).hasToString("header:x-api-key+path");
    assertThat(rule.limits())
        .containsExactly(
            new NamedLimit("exports", Limit.parse("20/s")),
            new NamedLimit("exports.2", Limit.parse("1000 per day window UTC")));
    assertThat(rule.when())
        .containsExactly(
            "Mon,Tue,Wed,Thu,Fri 07:00-19:00 Europe/Berlin", "Sat,Sun 00:00-24:00 UTC");
    assertThat(rule.cost().most()).isEqualTo(2);
    assertThat(rule.counted()).isEqualTo(CountedResponses.parse(List.of("401", "5xx")));
    assertThat(rule.onDenial()).isEqualTo(OnDenial.degradeTo("/cheap"));
    assertThat(rule.onOutage()).isEqualTo(OnOutage.DENY);
    assertThat(settings.counting().nodes()).isEqualTo(4);
    assertThat(settings.counting().deadline()).isEqualTo(Duration.ofMillis(50));
    assertThat(settings.requests().clientAddress())
        .hasToString("Forwarded of 10.0.0.0/8, 192.0.2.1");
    assertThat(settings.requests().paths().ignoreCase()).isTrue();
    assertThat(settings.requests().paths().ignoreTrailingSlash()).isFalse();
    assertThat(settings.requests().responses().denied()).isEqualTo(DenialResponse.ERROR_PAGE);
    assertThat(settings.requests().responses().legacy())
        .isEqualTo(ResponseStyle.Legacy.X_RATELIMIT_EPOCH);
    assertThat(settings.counting().redis())
        .hasValueSatisfying(r -> assertThat(r.toString()).contains("clock", "own credentials"));
  }

  @Test
  void hops_and_the_prefixes_of_translators_are_params_too() {
    Settings settings =
        Weirs.settings(
            Map.of(
                "limit", "5/s",
                "trusted-proxies", "10.0.0.1",
                "trusted-hops", "2",
                "nat64", "2001:db8:64::/96, 2001:db8:65::/96"));
    assertThat(settings.requests().clientAddress())
        .hasToString(
            "X-Forwarded-For of 10.0.0.1 with 2 trusted hops; NAT64 2001:db8:64::/96, 2001:db8:65::/96");
  }

  @Test
  void patterns_are_parted_by_commas_after_extensions_too() {
    Settings settings =
        Weirs.settings(Map.of("limit", "5/s", "match", "PUT,POST *.do, *.action,GET /x"));
    assertThat(settings.rules().enabled().get(0).match())
        .hasValueSatisfying(
            it -> assertThat(it.match()).containsExactly("PUT,POST *.do", "*.action", "GET /x"));
  }

  @Test
  void patterns_are_parted_by_commas_after_paths_only() {
    ClassLoader application = Weirs.application();
    Map<String, String> params =
        Map.of("limit", "1 per hour", "match", "PUT,POST /login, /api/**, GET /x");
    try (Weir weir = Weir.open(Weirs.initParams(application, params))) {
      assertThat(Weirs.passing(weir, 2, () -> FakeRequest.post("/login"))).isEqualTo(1);
      assertThat(Weirs.passing(weir, 2, () -> FakeRequest.get("/login"))).isEqualTo(2);
      assertThat(Weirs.passing(weir, 2, () -> FakeRequest.get("/api/a"))).isZero();
    }
  }

  @Test
  void an_empty_redis_limits_in_process() {
    assertThat(Weirs.settings(Map.of("limit", "5/s", "redis", "${ABSENT:-}")).counting().redis())
        .isEmpty();
  }
}

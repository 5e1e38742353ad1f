package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.ConfigurationException.Problem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A user with ten mistakes starts the application twice, not eleven times. */
class AllProblemsAtOnceTest {

  private static final String TEN_MISTAKES =
      """
      application: "{shop}"
      redis: { uri: http://cache, clock: local }
      nodes: 0
      on-outage: fail
      limits:
        login: 5 per minut
        api: 20 per second
      rules:
        - { name: login, match: login, subject: ip, limits: [login] }
        - { name: api, match: /api/**, sujbect: ip, limits: [apy], cost: 0 }
      """;

  @Test
  void all_problems_of_a_file_are_told() {
    List<Problem> problems = Complaints.of(() -> Weirs.settings(TEN_MISTAKES));
    assertThat(problems)
        .extracting(problem -> problem.line() + " " + problem.field())
        .containsExactlyInAnyOrder(
            "1 application",
            "2 redis.uri",
            "2 redis.clock",
            "3 nodes",
            "4 on-outage",
            "6 limits.login",
            "9 rules[0].match",
            "10 rules[1].sujbect",
            "10 rules[1].limits[0]",
            "10 rules[1].cost");
  }

  @Test
  void all_problems_of_maps_of_several_kinds_are_told() {
    String yaml =
        """
        limits:
          x: { leaky-bucket: 1/s, concurrent: 4, fixed-window: 1/s, capacity: 2, burst: 2 }
          y: { token-bucket: lots, burst: much, ttl: long }
        tiers:
          t: { roles: {}, class: x.Y, file: tiers }
        rules:
          - { name: r, match: /**, limits: x, cost: { query: q, header: X, from: 0, reserve: 1 } }
        """;
    assertThat(Complaints.of(() -> Weirs.settings(yaml)))
        .extracting(problem -> problem.line() + " " + problem.field())
        .containsExactlyInAnyOrder(
            "2 limits.x.fixed-window",
            "2 limits.x.concurrent",
            "2 limits.x.burst",
            "3 limits.y.token-bucket",
            "3 limits.y.burst",
            "3 limits.y.ttl",
            "5 tiers.t.otherwise",
            "5 tiers.t.class",
            "5 tiers.t.file",
            "7 rules[0].cost.query",
            "7 rules[0].cost.from",
            "7 rules[0].cost.to",
            "7 rules[0].cost.reserve");
  }

  @Test
  void a_limit_that_is_wrong_is_wrong_once() {
    assertThat(Complaints.of(() -> Weirs.settings(TEN_MISTAKES)))
        .as("rule login refers to the limit that is wrong")
        .extracting(Problem::field)
        .doesNotContain("rules[0].limits[0]");
  }

  @Test
  void the_message_has_one_line_for_each() {
    assertThatThrownBy(() -> Weirs.settings(TEN_MISTAKES))
        .isInstanceOf(ConfigurationException.class)
        .message()
        .hasLineCount(10)
        .contains(
            "weir.yaml:3:8: nodes: '0' (expected: a whole number from 1 to 10000)",
            "weir.yaml:6:10: limits.login: unit 'minut' in '5 per minut' (expected: us, ms, s, m, h,"
                + " d, w or their full words; did you mean 'minute'?)",
            "weir.yaml:10:34: rules[1].sujbect: 'sujbect' (expected: one of name, match, except,"
                + " when, subject, missing, allow, deny, tier, limits, overrides, cost, on-outage,"
                + " count, on-denial, denied, ban, enabled; did you mean 'subject'?)");
  }

  @Test
  void all_problems_of_init_params_are_told() {
    assertThat(
            Complaints.of(
                () ->
                    Weirs.settings(
                        Map.of("limit", "x/s", "subjct", "ip", "nodes", "-1", "match", "a\nb"))))
        .extracting(Problem::toString)
        .containsExactlyInAnyOrder(
            "filter 'limits': init-param 'subjct': 'subjct' (expected: one of config, name, match,"
                + " except, when, subject, missing, allow, deny, limit, cost, count, on-denial, ban,"
                + " enabled, application, nodes, max-counters,"
                + " on-outage, shadow, delays,"
                + " listener, redis, deadline, clock, batching, deny-cache, secret,"
                + " user, user-file, password, password-file, sentinel-user, sentinel-password,"
                + " sentinel-password-file, ca-file, certificate-file, private-key-file,"
                + " verify-host, addresses,"
                + " trusted-proxies, header, trusted-hops, ipv6-prefix, nat64,"
                + " ignore-case, ignore-trailing-slash, denied, fields, legacy-headers, legacy-reset;"
                + " did you mean 'subject'?)",
            "filter 'limits': init-param 'nodes': '-1' (expected: a whole number from 1 to 10000)",
            "filter 'limits': init-param 'match': 'a' (expected: a path that starts with '/', as in"
                + " '/login' or 'POST /login', or '*.do')",
            "filter 'limits': init-param 'match': 'b' (expected: a path that starts with '/', as in"
                + " '/login' or 'POST /login', or '*.do')",
            "filter 'limits': init-param 'limit': 'x/s' (expected: a limit in place such as '5 per"
                + " minute', since 'limits' names none)");
  }
}

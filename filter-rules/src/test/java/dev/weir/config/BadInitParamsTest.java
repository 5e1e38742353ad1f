package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.ConfigurationException.Problem;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter's init-params with one mistake: the problem names the param. */
class BadInitParamsTest {

  private static final Map<String, String> RIGHT =
      Map.of(
          "limit", "100 per second, burst 200",
          "subject", "ip",
          "match", "/api/**",
          "application", "shop",
          "redis", "redis://cache:6379");

  @Test
  void the_params_without_a_mistake_are_right() {
    assertThat(Weirs.settings(RIGHT).rules().enabled()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          limit            |                         | nothing                       | the names of limits
          limit            | "  "                    | nothing                       | the names of limits
          limit            | plenty                  | 'plenty'                      | a limit in place such as
          limit            | 100                     | '100'                         | 'per' or '/'
          limit            | 0 per second            | permits 0 in '0 per second'   | > 0
          limit            | -1 per second           | permits -1 in '-1 per second' | > 0
          limit            | 5 per minut             | unit 'minut' in '5 per minut' | us, ms, s
          limit            | 9/s, burst 9223372036854775808 | burst 9223372036854775808 in '9/s, burst 9223372036854775808' | below 2^53
          limit            | 1e309 per second        | '1e309 per second'            | 'per' or '/'
          limit            | ١ per second            | '١ per second'                | a limit in place such as
          limit            | 4 parallel              | '4 parallel'                  | 'per' or '/'
          limit            | 5/s; 100/h              | '5/s; 100/h'                  | nothing after the limit
          name             | ""                      | nothing                       | a name for the rule
          name             | a{b}                    | 'a{b}'                        | without " \\ { and }
          subject          | ""                      | nothing                       | ip, header:NAME
          limit            | 1 MB per minute         | limit 'limits' in bytes, with a cost of 1 | 'cost: response bytes'
          subject          | IP                      | 'IP'                          | ip, header:NAME
          subject          | hedaer:X                | 'hedaer:X'                    | ip, header:NAME
          subject          | ip,                     | nothing                       | ip, header:NAME
          subject          | ip, ip                  | subject ip                    | each part once
          subject          | com.example.Absent      | class 'com.example.Absent'    | can load
          missing          | nobody                  | 'nobody'                      | ip, shared
          match            | ""                      | nothing                       | a pattern such as
          match            | api                     | 'api'                         | a path that starts with
          match            | /a, b                   | 'b'                           | a path that starts with
          match            | /a,                     | nothing                       | a pattern such as
          except           | health                  | 'health'                      | a path that starts with
          when             | 9-17                    | '9-17'                        | a time zone at the end
          when             | Sat UTC, Sun UTC        | times 'UTC,Sun' in 'Sat UTC, Sun UTC' | several ranges are a list
          cost             | 0                       | '0'                           | a whole number of at least 1
          cost             | 201                     | '201'                         | at most 200
          cost             | one                     | 'one'                         | a whole number of at least 1
          cost             | ٢                       | '٢'                           | a whole number of at least 1
          count            | 401, 40x                | '40x'                         | a status such as 401
          enabled          | yes                     | 'yes'                         | true, false
          enabled          | TRUE                    | 'TRUE'                        | true, false
          nodes            | 0                       | '0'                           | a whole number from 1
          nodes            | 2.0                     | '2.0'                         | a whole number from 1
          nodes            | 3 nodes                 | '3 nodes'                     | a whole number from 1
          max-counters     | 0                       | '0'                           | a whole number from 1 to
          on-outage        | fail                    | 'fail'                        | allow, local, deny
          on-outage        | LOCAL                   | 'LOCAL'                       | allow, local, deny
          trusted-proxies  | ""                      | nothing                       | the addresses or networks of your proxies
          trusted-proxies  | proxy                   | 'proxy'                       | a network such as
          trusted-proxies  | 10.0.0.0/8, 10.0.0.1/8  | '10.0.0.1/8'                  | or the address alone
          trusted-proxies  | 0.0.0.0/0               | '0.0.0.0/0'                   | your proxies' networks
          ipv6-prefix      | 0                       | '0'                           | from 48 to 128
          ipv6-prefix      | /64                     | '/64'                         | from 48 to 128
          trusted-proxies  | {networks: 10.0.0.1} | '{networks: 10.0.0.1}'      | a network such as
          nat64            | 2001:db8:64::           | '2001:db8:64::'               | a NAT64 prefix of 32, 40
          nat64            | 2001:db8::/32, x        | 'x'                           | a NAT64 prefix of 32, 40
          match            | *.do, *.tar.gz          | '*.tar.gz'                    | one dot after '*'
          match            | GET,POST *.do, b        | 'b'                           | a path that starts with
          ignore-case      | on                      | 'on'                          | true, false
          ignore-trailing-slash | ""                 | nothing                       | true, false
          denied           | html                    | 'html'                        | problem, error-page
          legacy-headers   | 1                       | '1'                           | true, false
          deadline         | 100                     | '100'                         | with its unit
          deadline         | 10 minutes              | '10 minutes'                  | from 1ms to 60s
          clock            | utc                     | 'utc'                         | redis, node
          secret           | ""                      | nothing                       | a secret
          redis            | cache:6379              | 'cache:6379'                  | redis://
          redis            | redis://a,b             | 'redis://a,b'                 | one host
          application      | ""                      | nothing                       | a name for the keys
          application      | {shop}                  | '{shop}'                      | without { and }
          listener         | com.example.Absent      | class 'com.example.Absent'    | can load
          nodes            | ${ABSENT}               | ${ABSENT}, which is not set   | ${ABSENT:-default}
          """)
  void is_refused(String param, String value, String found, String expected) {
    Problem problem = refused(with(param, value == null ? "" : value));
    assertThat(problem.file()).isEqualTo("filter 'limits'");
    assertThat(problem.field()).isEqualTo("init-param '" + param + "'");
    assertThat(problem.found()).isEqualTo(found);
    assertThat(problem.expected()).contains(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "limits, limit", "Limit, limit", "subjcet, subject", "trusted-proxy, trusted-proxies",
    "trustedProxies, trusted-proxies", "on_outage, on-outage", "node, nodes", "exept, except",
    "ipv6prefix, ipv6-prefix", "config-file, ''", "burst, ''", "' limit', limit"
  })
  void an_unknown_param_is_refused_with_the_nearest(String param, String nearest) {
    Problem problem = refused(with(param, "x"));
    assertThat(problem.field()).isEqualTo("init-param '" + param + "'");
    assertThat(problem.found()).isEqualTo("'" + param + "'");
    assertThat(problem.expected()).startsWith("one of config, name, match, except, when");
    assertThat(problem.suggestion().orElse("")).isEqualTo(nearest);
  }

  @ParameterizedTest
  @CsvSource({"limit, the limits that the rule applies", "application, required with redis"})
  void a_param_that_must_be_there_is_missed(String param, String expected) {
    Map<String, String> params = new HashMap<>(RIGHT);
    params.remove(param);
    Problem problem = refused(params);
    assertThat(problem.field()).isEqualTo("init-param '" + param + "'");
    assertThat(problem.found()).isEqualTo("nothing");
    assertThat(problem.expected()).contains(expected);
  }

  @Test
  void a_header_without_proxies_is_refused() {
    Problem problem = refused(with("header", "X-Forwarded-For"));
    assertThat(problem.field()).isEqualTo("init-param 'trusted-proxies'");
    assertThat(problem.expected()).contains("never read");
  }

  @Test
  void hops_without_proxies_are_refused() {
    Problem problem = refused(with("trusted-hops", "2"));
    assertThat(problem.field()).isEqualTo("init-param 'trusted-proxies'");
    assertThat(problem.expected()).contains("or else no hop is counted");
  }

  @Test
  void hops_out_of_their_range_are_refused() {
    Map<String, String> params = with("trusted-proxies", "10.0.0.1");
    params.put("trusted-hops", "0");
    Problem problem = refused(params);
    assertThat(problem.field()).isEqualTo("init-param 'trusted-hops'");
    assertThat(problem.expected()).contains("a whole number from 1 to 32");
  }

  @Test
  void a_deadline_without_redis_is_refused() {
    Problem problem = refused(Map.of("limit", "5/s", "deadline", "1s"));
    assertThat(problem.field()).isEqualTo("init-param 'redis'");
    assertThat(problem.found()).isEqualTo("nothing");
  }

  private static Map<String, String> with(String param, String value) {
    Map<String, String> params = new HashMap<>(RIGHT);
    params.put(param, value);
    return params;
  }

  private static Problem refused(Map<String, String> params) {
    return Complaints.only(() -> Weirs.settings(params));
  }
}

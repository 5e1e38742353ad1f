package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.util.Optional;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule that counts by address requires a function for it, since JAX-RS knows no address. */
class PeerAddressTest {

  private static final String BEHIND_UNIX_SOCKET =
      """
      client-address: { trusted-proxies: [unix], header: X-Forwarded-For }
      rules: [{ name: all, match: /**, subject: ip, limits: [1 per hour] }]
      """;

  @ParameterizedTest
  @ValueSource(strings = {"ip", "header:X-API-Key", "principal", "[path, ip]"})
  void a_rule_by_address_wants_to_be_told_the_address(String subject) {
    String rules = "rules: [{ name: all, match: /**, subject: %s, limits: [9 per hour] }]";
    try (Weir weir = Weir.of(rules.formatted(subject))) {
      assertThatThrownBy(() -> JdkHttp.start(weir, Fine.class))
          .hasStackTraceContaining("rule 'all'")
          .hasStackTraceContaining("RateLimitFeature.clientAddress");
    }
  }

  @Test
  void a_list_of_addresses_wants_to_be_told_the_address() {
    String denying = "rules: [{ name: all, match: /**, deny: [192.0.2.0/24] }]";
    try (Weir weir = Weir.of(denying)) {
      assertThatThrownBy(() -> JdkHttp.start(weir, Fine.class))
          .hasStackTraceContaining(
              "rule 'all': a list of the rule identifies clients by their address")
          .hasStackTraceContaining("RateLimitFeature.clientAddress");
    }
  }

  @Test
  void trusted_peers_of_unix_sockets_want_to_be_told() throws IOException {
    String trusting =
        """
        client-address: { trusted-proxies: [unix], header: X-Forwarded-For }
        rules: [{ name: all, match: /**, subject: global, limits: [9 per hour] }]
        """;
    try (Weir weir = Weir.of(trusting)) {
      assertThatThrownBy(() -> JdkHttp.start(weir, Fine.class))
          .hasStackTraceContaining("trusted-proxies: unix (expected: a servlet container, or")
          .hasStackTraceContaining("RateLimitFeature.clientAddress");
      RateLimitFeature feature =
          new RateLimitFeature(weir).clientAddress(request -> Optional.of("unix:"));
      try (Server server = JdkHttp.start(ScenarioApplication.with(feature))) {
        assertThat(new RawHttp(server.base()).get("/").isPassed()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"unix:, 200", "/run/nginx.sock, 200", "'', 429"})
  void an_empty_text_of_the_function_is_no_unix_socket(String peer, int ofAnotherClient)
      throws IOException {
    try (Weir weir = Weir.of(BEHIND_UNIX_SOCKET)) {
      RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(it -> Optional.of(peer));
      try (Server server = JdkHttp.start(ScenarioApplication.with(feature))) {
        assertThat(ofAnotherClient(server)).isEqualTo(ofAnotherClient);
      }
    }
  }

  @Test
  void nor_is_one_of_Tomcat() throws Exception {
    Filter unknown =
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public String getRemoteAddr() {
                    return "";
                  }
                },
                response);
    try (Weir weir = Weir.of(BEHIND_UNIX_SOCKET);
        Server server =
            JerseyTomcat.at("/*", ScenarioApplication.with(new RateLimitFeature(weir)))
                .behind(unknown)
                .start()) {
      assertThat(ofAnotherClient(server)).isEqualTo(429);
    }
  }

  /** Returns the status for a client after another one had all that there is. */
  private static int ofAnotherClient(Server server) {
    RawHttp http = new RawHttp(server.base());
    assertThat(http.get("/", "X-Forwarded-For: 203.0.113.1").status()).isEqualTo(200);
    return http.get("/", "X-Forwarded-For: 203.0.113.2").status();
  }

  @Test
  void an_annotation_by_address_wants_to_be_told_the_address() {
    try (Weir weir = Weir.of("limits: { daily: 5 per day }")) {
      assertThatThrownBy(() -> JdkHttp.start(weir, ByAddress.class))
          .hasStackTraceContaining("rule 'ByAddress.get'")
          .hasStackTraceContaining("RateLimitFeature.clientAddress");
    }
  }

  @Test
  void rules_that_need_no_address_start_without_one() throws IOException {
    String global =
        """
        rules:
          - { name: all, match: /**, subject: global, limits: [9 per hour] }
          - { name: login, match: annotations, subject: global, limits: [1 per hour] }
        """;
    try (Weir weir = Weir.of(global);
        Server server = JdkHttp.start(weir, Fine.class)) {
      assertThat(new RawHttp(server.base()).get("/").field("RateLimit")).startsWith("\"login\"");
    }
  }

  @Test
  void a_function_that_fails_never_becomes_an_error_of_the_server() throws IOException {
    String byAddress = "rules: [{ name: all, match: /**, subject: ip, limits: [2 per hour] }]";
    try (Weir weir = Weir.of(byAddress)) {
      RateLimitFeature failing =
          new RateLimitFeature(weir)
              .clientAddress(
                  request -> {
                    throw new IllegalStateException("key s3cret has no address");
                  });
      try (LogCapture log = new LogCapture(RateLimitFeature.class);
          Server server = JdkHttp.start(ScenarioApplication.with(failing))) {
        RawHttp http = new RawHttp(server.base());
        assertThat(http.get("/").isPassed()).isTrue();
        assertThat(http.get("/").isPassed()).isTrue();
        assertThat(http.get("/").status()).isEqualTo(429);
        assertThat(log.records()).hasSize(1);
        LogRecord reported = log.records().get(0);
        assertThat(reported.getMessage())
            .contains("java.lang.IllegalStateException at dev.weir.jaxrs.PeerAddressTest")
            .doesNotContain("s3cret");
        assertThat(reported.getThrown()).isNull();
      }
    }
  }

  @Path("/")
  public static final class Fine {

    @GET
    @RateLimited("login")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class ByAddress {

    @GET
    @RateLimited("daily")
    public String get() {
      return "passed";
    }
  }
}

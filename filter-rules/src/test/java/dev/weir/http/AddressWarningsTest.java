package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import java.util.List;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where many clients share a counter because of their addresses, the log says so, and no more often
 * than once.
 */
class AddressWarningsTest extends LimiterUnderTest {

  private static final String XFF = "X-Forwarded-For";
  private static final String AGENT = "User-Agent";
  private static final ClientAddress BEHIND = ClientAddress.behind(List.of("10.0.0.0/8"), XFF);

  private final LogCapture log = new LogCapture("dev.weir.http");

  @AfterEach
  void release() {
    log.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For", "Forwarded", "x-real-ip", "CF-Connecting-IP"})
  void a_forwarding_header_of_a_peer_that_is_not_trusted_is_one_warning(String header) {
    for (ClientAddress address : List.of(ClientAddress.ofPeer(), BEHIND)) {
      RuleLimiter limiter = limiter(address);
      int before = warnings().size();
      for (int i = 0; i < 100; i++) {
        limiter.limit(from("192.168.0." + i).header(header, "made-up-" + i));
      }
      assertThat(warnings()).hasSize(before + 1);
      assertThat(warnings().get(before))
          .contains("192.168.0.0")
          .containsIgnoringCase(header)
          .contains("all clients behind 192.168.0.0 share one counter")
          .contains("trusted-proxies")
          .doesNotContain("made-up");
    }
  }

  @Test
  void no_warning_comes_where_nothing_is_wrong() {
    RuleLimiter behind = limiter(BEHIND);
    behind.limit(from("10.0.0.1").header(XFF, "203.0.113.9"));
    behind.limit(from("10.0.0.1")); // a proxy checks the health
    behind.limit(from("198.51.100.7"));
    behind.limit(from("198.51.100.7").header(XFF, "203.0.113.9").rewritten());
    limiter(ClientAddress.ofPeer()).limit(from("198.51.100.7"));
    limiter(ClientAddress.ofPeer())
        .limit(from("198.51.100.7").header(XFF, "203.0.113.9").rewritten());
    assertThat(warnings()).isEmpty();
  }

  @Test
  void a_header_that_cannot_be_read_is_named_with_its_proxy_at_each_doubling() {
    RuleLimiter limiter = limiter(BEHIND);
    for (int i = 0; i < 1_000; i++) {
      limiter.limit(from("10.0.0.7").header(XFF, "\"203.0.113." + i % 256 + "\""));
    }
    assertThat(warnings()).hasSize(10); // 1, 2, 4 … 512
    assertThat(warnings().get(0))
        .contains("'X-Forwarded-For' of the trusted proxy 10.0.0.7 cannot be read")
        .contains("share one counter")
        .doesNotContain("203.0.113");
    assertThat(warnings().get(9)).contains("512 times");
  }

  @Test
  void the_last_proxy_is_named_that_could_be_read() {
    limiter(BEHIND).limit(from("10.0.0.7").header(XFF, "unknown, 10.0.0.8"));
    assertThat(warnings()).singleElement().asString().contains("the trusted proxy 10.0.0.8");
  }

  @Test
  void a_trusted_proxy_that_sends_another_header_is_one_warning() {
    RuleLimiter limiter = limiter(ClientAddress.behind(List.of("10.0.0.0/8"), "XFF"));
    limiter.limit(from("10.0.0.1").header(XFF, "203.0.113.9"));
    limiter.limit(from("10.0.0.2").header("Forwarded", "for=203.0.113.9"));
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("the trusted proxy 10.0.0.1 sends 'X-Forwarded-For' and no 'XFF'")
        .contains("'client-address: header'");
  }

  @Test
  void a_chain_with_fewer_addresses_than_hops_is_a_warning_at_each_doubling() {
    RuleLimiter limiter = limiter(BEHIND.withTrustedHops(2));
    for (int i = 0; i < 100; i++) {
      limiter.limit(from("10.0.0.7").header(XFF, "203.0.113." + i));
    }
    assertThat(warnings()).hasSize(7); // 1, 2, 4 … 64
    assertThat(warnings().get(6))
        .contains("'X-Forwarded-For' of the trusted proxy 10.0.0.7 has fewer addresses")
        .contains("'trusted-hops: 2' (64 times so far)")
        .contains("set 'trusted-hops' to the number of addresses that your proxies add")
        .doesNotContain("203.0.113");
  }

  @Test
  void a_chain_through_proxies_with_two_headers_is_one_warning() {
    RuleLimiter limiter = limiter(BEHIND.orBehind(List.of("192.0.2.0/24"), "CF-Connecting-IP"));
    for (int i = 0; i < 10; i++) {
      limiter.limit(from("10.0.0.7").header(XFF, "203.0.113." + i + ", 192.0.2.5"));
    }
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("'X-Forwarded-For' names the proxy 192.0.2.5, which has another header")
        .contains("list the network of 192.0.2.5 without a header of its own")
        .doesNotContain("203.0.113");
  }

  @Test
  void a_warning_names_the_header_of_the_proxy_that_it_is_about() {
    RuleLimiter limiter = limiter(BEHIND.orBehind(List.of("192.0.2.0/24"), "CF-Connecting-IP"));
    limiter.limit(from("192.0.2.5").header("CF-Connecting-IP", "unknown"));
    limiter.limit(from("192.0.2.5").header(XFF, "203.0.113.9"));
    assertThat(warnings()).hasSize(2);
    assertThat(warnings().get(0)).contains("'CF-Connecting-IP' of the trusted proxy 192.0.2.5");
    assertThat(warnings().get(1))
        .contains("192.0.2.5 sends 'X-Forwarded-For' and no 'CF-Connecting-IP'");
  }

  @Test
  void the_first_peer_without_an_address_is_one_warning() {
    RuleLimiter limiter = limiter(BEHIND);
    limiter.limit(from(""));
    limiter.limit(from(null));
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("no IP address")
        .contains("add 'unix' to 'client-address: trusted-proxies'");
    RuleLimiter trusting = limiter(ClientAddress.behind(List.of("unix"), XFF));
    trusting.limit(from("").header(XFF, "203.0.113.9"));
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void a_header_is_found_after_many_requests_without_one() {
    RuleLimiter limiter = limiter(ClientAddress.ofPeer());
    for (int i = 0; i < 5_000; i++) {
      limiter.limit(from("198.51.100.7"));
    }
    // one in 64 is examined: that all of these are missed has a chance of 1 in 10^13
    for (int i = 0; i < 2_000; i++) {
      limiter.limit(from("10.0.0.1").header(XFF, "203.0.113.9"));
    }
    assertThat(warnings()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.5", "172.17.0.1", "127.0.0.1", "100.64.1.2", "fd00::5"})
  void a_private_address_that_nearly_all_clients_have_is_one_warning(String proxy) {
    RuleLimiter limiter = limiter(ClientAddress.ofPeer());
    for (int i = 0; i < 1_000; i++) {
      String peer = i % 33 == 32 ? "198.51.100." + i % 256 : proxy;
      limiter.limit(from(peer).header(AGENT, "browser " + i % 5));
    }
    for (int i = 0; i < 3_000; i++) {
      limiter.limit(from(proxy).header(AGENT, "browser " + i % 5));
    }
    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("all clients share one address: 97 % of the last 1,000 requests")
        .contains("count as " + (proxy.equals("fd00::5") ? "fd00::/64" : proxy))
        .contains("add its address to 'client-address: trusted-proxies'")
        .doesNotContain("browser");
  }

  @Test
  void a_shared_address_is_found_after_clients_with_many() {
    RuleLimiter limiter = limiter(ClientAddress.ofPeer());
    for (int i = 0; i < 1_000; i++) {
      limiter.limit(from("198.51.100." + i % 256).header(AGENT, "browser " + i % 5));
    }
    assertThat(warnings()).isEmpty();
    // one in 64 is examined: 1,000 of 90,000 are examined all but certainly
    for (int i = 0; i < 90_000; i++) {
      limiter.limit(from("10.0.0.5").header(AGENT, "browser " + i % 5));
    }
    assertThat(warnings()).singleElement().asString().contains("100 %").contains("10.0.0.5");
  }

  @Test
  void a_trusted_proxy_that_names_only_another_proxy_is_a_warning() {
    RuleLimiter limiter = limiter(BEHIND);
    for (int i = 0; i < 1_000; i++) {
      limiter.limit(
          from("10.0.0.5").header(XFF, "203.0.113.9, 192.168.7.7").header(AGENT, "a" + i % 3));
    }
    assertThat(warnings()).singleElement().asString().contains("count as 192.168.7.7");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          an office or a partner,                198.51.100.7, 100, 5
          a load test or a batch client,         10.0.0.5,     100, 1
          a browser and its update,              10.0.0.5,     100, 2
          a busy client or one of two balancers, 10.0.0.5,     85,  5
          """)
  void one_client_with_many_requests_is_none(
      String what, String peer, int percentage, int programs) {
    RuleLimiter limiter = limiter(ClientAddress.ofPeer());
    for (int i = 0; i < 3_000; i++) {
      String from = i % 100 < percentage ? peer : "203.0.113." + i % 256;
      limiter.limit(from(from).header(AGENT, "program " + i % programs));
    }
    assertThat(warnings()).as(what).isEmpty();
  }

  private RuleLimiter limiter(ClientAddress address) {
    return limiter(RuleLimiter.Settings.DEFAULT.withClientAddress(address), Rules.matching("/**"));
  }

  private static FakeRequest from(@Nullable String peer) {
    return FakeRequest.get("/").from(peer);
  }

  private List<String> warnings() {
    return log.records().stream()
        .filter(record -> record.getLevel().equals(java.util.logging.Level.WARNING))
        .map(LogRecord::getMessage)
        .toList();
  }
}

package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which client a request is counted against when it is counted by address. */
class ClientAddressTest {

  private static final String XFF = "X-Forwarded-For";
  private static final List<String> PROXIES = List.of("10.0.0.0/8", "2001:db8:aaaa::/48");
  private static final ClientAddress BEHIND = ClientAddress.behind(PROXIES, XFF);

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For", "Forwarded", "X-Real-IP", "CF-Connecting-IP"})
  void forwarding_headers_are_ignored_by_default(String header) {
    // CVE-2025-59152 Litestar, CVE-2026-107271 Gophish, CVE-2020-28483 gin, CVE-2020-35590
    FakeRequest request = FakeRequest.get("/").from("198.51.100.7").header(header, "203.0.113.9");
    assertThat(ClientAddress.ofPeer().find(request).key()).isEqualTo("198.51.100.7");
  }

  @Test
  void a_peer_that_is_not_trusted_is_the_client_whatever_it_claims() {
    // CVE-2025-41235 Spring Cloud Gateway
    assertThat(BEHIND.find(forwarded("198.51.100.7", "203.0.113.9")).key())
        .isEqualTo("198.51.100.7");
  }

  @Test
  void only_the_one_configured_header_is_read() {
    FakeRequest request =
        FakeRequest.get("/")
            .from("10.0.0.1")
            .header("X-Real-IP", "203.0.113.9")
            .header("Forwarded", "for=203.0.113.9")
            .header("CF-Connecting-IP", "203.0.113.9");
    assertThat(BEHIND.find(request).key()).isEqualTo("10.0.0.1");
  }

  @Test
  void what_a_client_puts_on_the_left_counts_for_nothing() {
    // CVE-2026-110723, -110724, -110726 Eclipse ECSP; CVE-2026-111934 Coder: the leftmost value
    assertThat(BEHIND.find(forwarded("10.0.0.1", "1.1.1.1, 8.8.8.8, 203.0.113.9")).key())
        .isEqualTo("203.0.113.9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          203.0.113.9                      | 203.0.113.9
          203.0.113.9, 10.0.0.2            | 203.0.113.9
          203.0.113.9,10.0.0.2,10.0.0.3    | 203.0.113.9
          '  203.0.113.9  '                | 203.0.113.9
          203.0.113.9:4711                 | 203.0.113.9
          203.0.113.9:_obf                 | 203.0.113.9
          2001:db8::7                      | 2001:db8::/64
          [2001:db8::7]                    | 2001:db8::/64
          [2001:db8::7]:4711               | 2001:db8::/64
          [2001:db8::7%eth0]:4711          | 2001:db8::/64
          2001:db8:1:2:3:4:5:6             | 2001:db8:1:2::/64
          2001:db8:1:2:3:4:5:6:50001       | 2001:db8:1:2::/64
          2001:db8:1:2:3:4:5:6:1           | 2001:db8:1:2::/64
          2001:0DB8:1:2::                  | 2001:db8:1:2::/64
          fe80::1%eth0                     | fe80::/64
          ::ffff:203.0.113.9               | 203.0.113.9
          ::ffff:cb00:7109                 | 203.0.113.9
          [::ffff:203.0.113.9]:4711        | 203.0.113.9
          64:ff9b::203.0.113.9             | 203.0.113.9
          1.1.1.1, 10.0.0.9, 10.0.0.2      | 1.1.1.1
          10.0.0.9, 10.0.0.2               | 10.0.0.9
          2001:db8:aaaa::1                 | 2001:db8:aaaa::/64
          1.1.1.1, 2001:db8:aaaa::1        | 1.1.1.1
          1.1.1.1, ::ffff:10.0.0.2         | 1.1.1.1
          """)
  void the_first_address_from_the_right_that_is_no_proxy_is_the_client(String line, String key) {
    assertThat(BEHIND.find(forwarded("10.0.0.1", line)).key()).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown",
        "_hidden",
        "localhost",
        "shop.example",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "01.02.03.04",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "1.2.3.-4",
        "1.2.3.*",
        "1.2.3.1-9",
        "1.2.3.4/8",
        "*",
        "203.0.113.9:",
        "203.0.113.9:x",
        "203.0.113.9:123456",
        "203.0.113.9 evil",
        "[203.0.113.9]",
        "[2001:db8::7",
        "2001:db8::7]",
        "[2001:db8::7]x",
        "[]",
        "[%]",
        ":::",
        "2001:db8::7::8",
        "2001:db8:::",
        "12345::",
        "::ffff:0177.0.0.1",
        "::ffff:1.2.3",
        "٢٠٣.0.113.9",
        "203.0.113.9\r\nX: y",
        "\"203.0.113.9\"",
        "for=203.0.113.9",
        "0b1.0.0.1",
        "1:2:3:4:5:6:7:8:",
        "1:2:3:4:5:6:7:8:a",
        "1:2:3:4:5:6:7:8:123456",
        "1:2:3:4:5:6:7:8:9:80",
        "1:2:3:4:5:6:7:1.2.3.4:80",
        "unix:",
        "4)+k&C#VzJ4br>0wv%Yp"
      })
  void an_element_that_is_no_address_ends_the_walk_at_the_last_proxy(String junk) {
    assertThat(BEHIND.find(forwarded("10.0.0.1", junk)).key()).isEqualTo("10.0.0.1");
    assertThat(BEHIND.find(forwarded("10.0.0.1", junk + ", 10.0.0.2")).key()).isEqualTo("10.0.0.2");
    assertThat(BEHIND.find(forwarded("10.0.0.1", "9.9.9.9, " + junk)).key()).isEqualTo("10.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ",", " , ,", "\t,"})
  void empty_elements_are_skipped(String nothing) {
    assertThat(BEHIND.find(forwarded("10.0.0.1", nothing)).key()).isEqualTo("10.0.0.1");
    assertThat(BEHIND.find(forwarded("10.0.0.1", "9.9.9.9," + nothing)).key()).isEqualTo("9.9.9.9");
    assertThat(BEHIND.find(forwarded("10.0.0.1", "9.9.9.9", nothing)).key()).isEqualTo("9.9.9.9");
    assertThat(BEHIND.find(forwarded("10.0.0.1", nothing + ",9.9.9.9, 10.0.0.2")).key())
        .isEqualTo("9.9.9.9");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/run/nginx.sock", "unix:"})
  void a_peer_of_a_unix_socket_may_be_trusted(String peer) {
    ClientAddress unix = ClientAddress.behind(List.of("unix", "10.0.0.0/8"), XFF);
    assertThat(unix.find(forwarded(peer, "9.9.9.9, 203.0.113.9")).key()).isEqualTo("203.0.113.9");
    assertThat(unix.find(forwarded(peer, "203.0.113.9, 10.0.0.2")).key()).isEqualTo("203.0.113.9");
    assertThat(unix.find(forwarded(peer, "203.0.113.9, unix:")).key()).isEqualTo("203.0.113.9");
    assertThat(unix.find(forwarded(peer)).key()).isEqualTo("none");
    assertThat(unix.isPeerTrusted(forwarded(peer))).isTrue();
    assertThat(unix.trustsProxies()).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"198.51.100.7", "localhost", "127.1", "2001:db8::1"})
  void no_other_peer_is_trusted_with_it(@Nullable String peer) {
    // a server that has lost the connection of a client may not know its address: null
    ClientAddress unix = ClientAddress.behind(List.of("unix"), XFF);
    assertThat(unix.find(forwarded(peer, "203.0.113.9")).key()).isNotEqualTo("203.0.113.9");
    assertThat(unix.isPeerTrusted(forwarded(peer))).isFalse();
  }

  @Test
  void lines_are_read_as_one_list_from_the_last_line_back() {
    assertThat(BEHIND.find(forwarded("10.0.0.1", "1.1.1.1", "2.2.2.2, 10.0.0.3", "10.0.0.2")).key())
        .isEqualTo("2.2.2.2");
    assertThat(BEHIND.find(forwarded("10.0.0.1", "1.1.1.1, 2.2.2.2", "10.0.0.2")).key())
        .isEqualTo("2.2.2.2");
  }

  @Test
  void a_trusted_peer_without_the_header_is_itself() {
    assertThat(BEHIND.find(FakeRequest.get("/").from("10.0.0.1")).key()).isEqualTo("10.0.0.1");
  }

  @Test
  void nothing_is_read_once_the_container_has_rewritten_the_address() {
    // what Tomcat's RemoteIpValve leaves in the header is the client's own claim
    FakeRequest request = forwarded("10.0.0.1", "203.0.113.9").rewritten();
    assertThat(BEHIND.find(request).key()).isEqualTo("10.0.0.1");
  }

  @Test
  void mapped_addresses_are_unmapped_before_they_are_masked_or_trusted() {
    // CVE-2026-30827 express-rate-limit; CVE-2026-39409 Hono; GHSA-5847-rm3g-23mw OpenClaw
    ClientAddress peer = ClientAddress.ofPeer();
    assertThat(peer.find(FakeRequest.get("/").from("::ffff:198.51.100.7")).key())
        .isEqualTo(peer.find(FakeRequest.get("/").from("198.51.100.7")).key())
        .isNotEqualTo(peer.find(FakeRequest.get("/").from("::ffff:198.51.100.8")).key());
    assertThat(BEHIND.find(forwarded("::ffff:10.0.0.1", "203.0.113.9")).key())
        .isEqualTo("203.0.113.9");
  }

  @ParameterizedTest
  @CsvSource({
    "48, 2001:db8:1::/48",
    "56, 2001:db8:1:200::/56",
    "64, 2001:db8:1:2ff::/64",
    "128, 2001:db8:1:2ff::1"
  })
  void ipv6_counts_by_its_prefix(int bits, String key) {
    FakeRequest request = FakeRequest.get("/").from("2001:db8:1:2ff::1");
    assertThat(ClientAddress.ofPeer().withIpv6Prefix(bits).find(request).key()).isEqualTo(key);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "unix:",
        "/run/app.sock",
        "localhost",
        "127.1",
        "@",
        "0177.0.0.1",
        "1.2.3.256"
      })
  void peers_without_an_address_are_one_client(String peer) {
    assertThat(BEHIND.find(FakeRequest.get("/").from(peer).header(XFF, "203.0.113.9")).key())
        .isEqualTo("none");
    assertThat(ClientAddress.ofPeer().find(FakeRequest.get("/").from(peer)).key())
        .isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource({
    "0:0:0:0:0:0:0:1, ::/64",
    "[2001:db8::7], 2001:db8::/64",
    "fe80:0:0:0:1:2:3:4%eth0, fe80::/64",
    "255.255.255.255, 255.255.255.255",
    "0.0.0.0, 0.0.0.0"
  })
  void peers_are_read_as_containers_write_them(String peer, String key) {
    assertThat(ClientAddress.ofPeer().find(FakeRequest.get("/").from(peer)).key()).isEqualTo(key);
  }

  @Test
  void a_chain_of_thousands_of_trusted_hops_ends_soon() {
    String hops = "10.9.9.9, ".repeat(5_000) + "10.0.0.2";
    FakeRequest request = forwarded("10.0.0.1", "203.0.113.9, " + hops);
    assertThat(BEHIND.find(request).key()).isEqualTo("10.9.9.9");
  }

  @Test
  void addresses_are_not_mistaken_for_ones_seen_before() {
    for (int i = 0; i < 20_000; i++) {
      String address = "198.51." + (i >> 8) + "." + (i & 255);
      assertThat(BEHIND.find(forwarded("10.0.0.1", address)).key()).isEqualTo(address);
    }
  }

  @Test
  void any_other_header_is_a_list_of_addresses_too() {
    ClientAddress real = ClientAddress.behind(PROXIES, "X-Real-IP");
    FakeRequest request = FakeRequest.get("/").from("10.0.0.1").header("x-real-ip", "203.0.113.9");
    assertThat(real.find(request).key()).isEqualTo("203.0.113.9");
  }

  private static FakeRequest forwarded(@Nullable String peer, String... lines) {
    return FakeRequest.get("/").from(peer).header(XFF, lines);
  }
}

package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.ClientPolicy.KeyDigest;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which clients are on a list. */
class ClientsTest {

  private static final ClientAddress BEHIND =
      ClientAddress.behind(List.of("10.0.0.0/8"), "X-Forwarded-For");

  private static final Clients NETWORKS =
      Clients.in(
          List.of(
              "192.0.2.0/25", "198.51.100.7", "2001:db8:1::/48", "2001:db8:2::9", "10.0.0.0/8"));

  private static final Clients KEYS =
      Clients.knowing("header:X-API-Key", Set.of(KeyDigest.of("s3cr3t"), KeyDigest.of("other")));

  @ParameterizedTest
  @CsvSource({
    "192.0.2.0, true",
    "192.0.2.127, true",
    "192.0.2.128, false",
    "192.0.1.255, false",
    "198.51.100.7, true",
    "198.51.100.6, false",
    "::ffff:192.0.2.1, true",
    "2001:db8:1::, true",
    "2001:db8:1:ffff:ffff:ffff:ffff:ffff, true",
    "2001:db8:2::, false",
    "2001:db8:2::9, true",
    "2001:db8:2::8, false",
    "[2001:db8:2::9]:4711, true",
    "unix:, false",
    "'', false"
  })
  void an_address_is_in_a_network_whole(String peer, boolean isIn) {
    FakeRequest request = FakeRequest.get("/").from(peer);
    assertThat(NETWORKS.has(Rules.context(request, ClientAddress.ofPeer()))).isEqualTo(isIn);
    assertThat(NETWORKS.hasAnything(Rules.context(request, ClientAddress.ofPeer())))
        .isEqualTo(isIn);
  }

  @Test
  void who_has_no_address_is_in_no_network() {
    assertThat(NETWORKS.has(context(FakeRequest.get("/").from(null)))).isFalse();
  }

  @Test
  void behind_proxies_the_client_counts_and_what_it_claims_does_not() {
    assertThat(NETWORKS.has(forwarded("192.0.2.1"))).isTrue();
    assertThat(NETWORKS.has(forwarded("192.0.2.1, 203.0.113.9"))).isFalse();
    assertThat(NETWORKS.has(forwarded("10.1.1.1, 203.0.113.9"))).isFalse();
    FakeRequest direct = FakeRequest.get("/").from("203.0.113.9");
    assertThat(NETWORKS.has(context(direct.header("X-Forwarded-For", "192.0.2.1")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknown", "_hidden", "", "192.0.2.1, unknown", "203.0.113.9:x"})
  void a_client_that_a_proxy_does_not_tell_is_not_that_proxy(String line) {
    assertThat(BEHIND.find(forwarded(line).request()).key()).isEqualTo("10.0.0.1");
    assertThat(NETWORKS.has(forwarded(line))).isFalse();
  }

  @Test
  void a_proxy_that_asks_for_itself_is_itself() {
    assertThat(NETWORKS.has(context(FakeRequest.get("/").from("10.0.0.1")))).isTrue();
  }

  @Test
  void a_key_is_known_by_its_digest() {
    assertThat(KEYS.has(withKeys("s3cr3t"))).isTrue();
    assertThat(KEYS.has(withKeys("other"))).isTrue();
    assertThat(KEYS.has(withKeys("S3cr3t"))).isFalse();
    assertThat(KEYS.has(withKeys(""))).isFalse();
    assertThat(KEYS.has(withKeys(KeyDigest.of("s3cr3t").hex()))).isFalse();
    assertThat(KEYS.has(context(FakeRequest.get("/")))).isFalse();
    assertThat(KEYS.has(context(FakeRequest.get("/").query("X-API-Key", "s3cr3t")))).isFalse();
  }

  @Test
  void of_two_keys_the_first_counts_and_any_to_keep_somebody_out() {
    assertThat(KEYS.has(withKeys("s3cr3t", "x"))).isTrue();
    assertThat(KEYS.has(withKeys("x", "s3cr3t"))).isFalse();
    assertThat(KEYS.hasAnything(withKeys("x", "s3cr3t"))).isTrue();
    assertThat(KEYS.hasAnything(withKeys("x", "y"))).isFalse();
  }

  @Test
  void keys_stand_in_headers_queries_and_cookies() {
    Set<KeyDigest> keys = Set.of(KeyDigest.of("s3cr3t"));
    assertThat(
            Clients.knowing("query:key", keys)
                .has(context(FakeRequest.get("/").query("key", "s3cr3t"))))
        .isTrue();
    assertThat(
            Clients.knowing("cookie:key", keys)
                .has(context(FakeRequest.get("/").cookie("key", "s3cr3t"))))
        .isTrue();
    FakeRequest both = FakeRequest.get("/").cookie("key", "x").cookie("key", "s3cr3t");
    Clients byCookie = Clients.knowing("cookie:key", keys);
    assertThat(byCookie.has(context(both))).as("whichever the application takes").isFalse();
    assertThat(byCookie.hasAnything(context(both))).isTrue();
    FakeRequest besideEmpty = FakeRequest.get("/").cookie("key", "").cookie("key", "s3cr3t");
    assertThat(byCookie.has(context(besideEmpty))).as("an empty one is none").isTrue();
  }

  @Test
  void lists_are_joined() {
    Clients both = NETWORKS.and(KEYS);
    assertThat(both.has(context(FakeRequest.get("/").from("192.0.2.1")))).isTrue();
    assertThat(both.has(withKeys("s3cr3t"))).isTrue();
    assertThat(KEYS.has(context(FakeRequest.get("/").from("192.0.2.1")))).isFalse();
    assertThat(both).hasToString("5 networks, 2 keys");
    assertThat(Clients.NONE.isEmpty()).isTrue();
    assertThat(both.isEmpty()).isFalse();
  }

  @Test
  void a_long_list_is_a_list() {
    List<String> networks =
        IntStream.range(0, 60_000)
            .mapToObj(i -> "100." + (64 + i / 65_536) + "." + i / 256 + "." + i % 256)
            .toList();
    Clients many = Clients.in(networks);
    assertThat(many.has(context(FakeRequest.get("/").from("100.64.233.1")))).isTrue();
    assertThat(many.has(context(FakeRequest.get("/").from("100.64.255.1")))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0.0.0.0/0    | a network that excludes some addresses; the rule's patterns match all
          ::/0         | a network that excludes some addresses; the rule's patterns match all
          10.0.0.1/8   | 10.0.0.0/8, or the address alone
          10.0.0       | a network such as 10.0.0.0/8, 2001:db8::/32 or 192.0.2.7
          shop.example | a network such as 10.0.0.0/8, 2001:db8::/32 or 192.0.2.7
          """)
  void a_network_is_one_that_is_not_everybodys(String network, String expected) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Clients.in(List.of(network)))
        .withMessage("network: '" + network + "' (expected: " + expected + ")");
  }

  @Test
  void a_digest_is_one_and_is_not_shown_when_it_is_not() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KeyDigest("sk_live_0123456789"))
        .withMessageContaining("64 hexadecimal digits")
        .withMessageNotContaining("sk_live");
    KeyDigest digest = KeyDigest.of("abc");
    assertThat(digest.hex())
        .as("FIPS 180-2, appendix B.1")
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(new KeyDigest(digest.hex().toUpperCase(java.util.Locale.ROOT))).isEqualTo(digest);
    assertThat(digest).hasToString("sha256");
  }

  private static RequestContext forwarded(String line) {
    return context(FakeRequest.get("/").from("10.0.0.1").header("X-Forwarded-For", line));
  }

  private static RequestContext withKeys(String... keys) {
    return context(FakeRequest.get("/").from("203.0.113.9").header("x-api-key", keys));
  }

  private static RequestContext context(FakeRequest request) {
    return Rules.context(request, BEHIND);
  }
}

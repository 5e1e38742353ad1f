package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client writes into forwarding headers changes nobody's counter, where elements are
 * counted, where proxies have headers of their own, and behind translators.
 */
class AddressEvasionTest {

  private static final String XFF = "X-Forwarded-For";
  private static final String CF = "CF-Connecting-IP";

  /** The client's own address, and the one of the load balancer, which both add it. */
  private static final String CLIENT = "203.0.113.77";

  private static final String ADDED = CLIENT + ", 35.191.0.1";

  private static final ClientAddress HOPS =
      ClientAddress.behind(List.of("10.0.0.0/8"), XFF).withTrustedHops(2);

  private static final ClientAddress OWN =
      ClientAddress.behind(List.of("10.0.0.0/8"), XFF)
          .orBehind(List.of("192.0.2.0/24"), CF)
          .withNat64(List.of("2001:db8:64::/96"));

  /** What a client sends in front of what its proxies add. */
  static Stream<String> madeUp() {
    return Stream.of(
        "198.51.100.1",
        "198.51.100.1, 198.51.100.2",
        "10.0.0.7",
        "10.0.0.7, 10.0.0.8, 10.0.0.9",
        "192.0.2.1",
        "35.191.0.1",
        "198.51.100.1, 35.191.0.1",
        "198.51.100.1:4711",
        "[2001:db8::7]:4711",
        "2001:db8::7",
        "::ffff:10.0.0.1",
        "::ffff:198.51.100.1",
        "64:ff9b::198.51.100.1",
        "2001:db8:64::10.0.0.1",
        "2001:db8:64::c633:6401",
        "unknown",
        "_hidden",
        "unix:",
        "unix",
        "none",
        "localhost",
        "127.1",
        "for=198.51.100.1",
        "for=\"198.51.100.1",
        "\"",
        "\"198.51.100.1, ",
        "\\\"",
        "\\",
        ",",
        ", , ,",
        ";",
        "",
        " ",
        "\t",
        "198.51.100.1\u0000",
        "١٩٨.51.100.1",
        "198.51.100.1, ".repeat(500),
        "10.0.0.7, ".repeat(500),
        "x".repeat(10_000));
  }

  @ParameterizedTest
  @MethodSource("madeUp")
  void nothing_in_front_of_the_counted_elements_matters(String madeUp) {
    assertThat(key(HOPS, "10.0.0.1", XFF, madeUp + ", " + ADDED)).isEqualTo(CLIENT);
    assertThat(key(HOPS, "10.0.0.1", XFF, madeUp, ADDED)).isEqualTo(CLIENT);
    assertThat(key(HOPS, "10.0.0.1", XFF, madeUp, madeUp, CLIENT, "35.191.0.1")).isEqualTo(CLIENT);
  }

  @ParameterizedTest
  @MethodSource("madeUp")
  void a_header_that_is_not_the_peers_matters_nothing(String madeUp) {
    FakeRequest behindProxy =
        FakeRequest.get("/").from("10.0.0.1").header(CF, madeUp).header(XFF, CLIENT);
    FakeRequest behindOther =
        FakeRequest.get("/").from("192.0.2.1").header(XFF, madeUp).header(CF, CLIENT);
    FakeRequest direct =
        FakeRequest.get("/").from("198.51.100.9").header(XFF, madeUp).header(CF, madeUp);
    assertThat(OWN.find(behindProxy).key()).isEqualTo(CLIENT);
    assertThat(OWN.find(behindOther).key()).isEqualTo(CLIENT);
    assertThat(OWN.find(direct).key()).isEqualTo("198.51.100.9");
    assertThat(HOPS.find(direct).key()).isEqualTo("198.51.100.9");
  }

  @ParameterizedTest
  @MethodSource("madeUp")
  void nothing_in_front_of_a_walk_over_proxies_with_two_headers_matters(String madeUp) {
    assertThat(key(OWN, "10.0.0.1", XFF, madeUp + ", " + CLIENT + ", 10.0.0.2")).isEqualTo(CLIENT);
    assertThat(key(OWN, "192.0.2.1", CF, madeUp, CLIENT)).isEqualTo(CLIENT);
    // the other proxy may have let the client write anything into this header
    assertThat(key(OWN, "10.0.0.1", XFF, madeUp + ", 192.0.2.9")).isEqualTo("192.0.2.9");
  }

  /** As where a request reaches the peer past the load balancer, and the peer alone adds to it. */
  @ParameterizedTest
  @ValueSource(strings = {"", ",", "unknown", "_x", "198.51.100.1:x", "\"", "x, y", ", unknown"})
  void a_chain_without_enough_addresses_is_the_peers_for_all_clients(String chain) {
    assertThat(key(HOPS, "10.0.0.1", XFF, chain)).isEqualTo("10.0.0.1");
    assertThat(key(HOPS, "10.0.0.1", XFF, chain + ", " + CLIENT)).isEqualTo("10.0.0.1");
  }

  @Test
  void random_headers_change_nothing() {
    Random random = new Random(41);
    List<String> pieces = madeUp().filter(piece -> piece.length() < 100).toList();
    for (int round = 0; round < 20_000; round++) {
      String madeUp =
          random
              .ints(random.nextInt(5), 0, pieces.size())
              .mapToObj(pieces::get)
              .reduce("", (one, other) -> one + (random.nextBoolean() ? "," : "") + other);
      assertThat(key(HOPS, "10.0.0.1", XFF, madeUp, madeUp + "," + ADDED)).isEqualTo(CLIENT);
      assertThat(key(OWN, "192.0.2.1", CF, madeUp, madeUp + "," + CLIENT)).isEqualTo(CLIENT);
    }
  }

  /** With the whole of its own /64, under the prefix of a translator or not, it is one client. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2001:db8:1::1",
        "2001:db8:1::ffff:10.0.0.1",
        "2001:db8:1::a00:1",
        "2001:db8:1:0:64:ff9b::",
        "2001:db8:1::c000:201"
      })
  void no_address_of_its_own_network_is_an_IPv4_address(String peer) {
    assertThat(OWN.find(FakeRequest.get("/").from(peer).header(XFF, CLIENT)).key())
        .isEqualTo("2001:db8:1::/64");
  }

  private static String key(ClientAddress address, String peer, String header, String... lines) {
    return address.find(FakeRequest.get("/").from(peer).header(header, lines)).key();
  }
}

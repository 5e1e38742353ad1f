package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the addresses of further proxies are unknown, the elements that they add are counted. */
class TrustedHopsTest {

  private static final String XFF = "X-Forwarded-For";
  private static final ClientAddress PEER = ClientAddress.behind(List.of("10.0.0.0/8"), XFF);
  private static final ClientAddress TWO = PEER.withTrustedHops(2);

  /** As in front of Google's load balancer, which adds the client's address and its own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          203.0.113.9, 35.191.0.1                   | 203.0.113.9
          203.0.113.9,35.191.0.1                    | 203.0.113.9
          1.1.1.1, 203.0.113.9, 35.191.0.1          | 203.0.113.9
          10.0.0.7, 203.0.113.9, 35.191.0.1         | 203.0.113.9
          203.0.113.9, 10.0.0.2                     | 203.0.113.9
          10.0.0.7, 35.191.0.1                      | 10.0.0.7
          203.0.113.9:4711, 35.191.0.1:443          | 203.0.113.9
          [2001:db8::7]:4711, 35.191.0.1            | 2001:db8::/64
          ::ffff:203.0.113.9, 35.191.0.1            | 203.0.113.9
          203.0.113.9, , 35.191.0.1,                | 203.0.113.9
          unknown, 203.0.113.9, 35.191.0.1          | 203.0.113.9
          """)
  void so_many_from_the_right_is_the_client(String line, String key) {
    ClientAddress.Found found = TWO.find(forwarded(line));
    assertThat(found.key()).isEqualTo(key);
    assertThat(found.basis()).isEqualTo(ClientAddress.Basis.HEADER);
    assertThat(found.address()).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                  | TOO_SHORT
          ,                                   | TOO_SHORT
          203.0.113.9                         | TOO_SHORT
          203.0.113.9,                        | TOO_SHORT
          , ,203.0.113.9, ,                   | TOO_SHORT
          203.0.113.9, unknown                | UNREADABLE
          unknown, 35.191.0.1                 | UNREADABLE
          203.0.113.9, _hidden, 35.191.0.1    | UNREADABLE
          203.0.113.9, 35.191.0.1, x          | UNREADABLE
          x                                   | UNREADABLE
          """)
  void else_the_peer_counts_and_its_address_is_in_no_list(String line, ClientAddress.Basis basis) {
    ClientAddress.Found found = TWO.find(forwarded(line));
    assertThat(found.key()).isEqualTo("10.0.0.1");
    assertThat(found.basis()).isEqualTo(basis);
    assertThat(found.address()).isEmpty();
  }

  @Test
  void lines_are_counted_as_one_list() {
    assertThat(TWO.find(forwarded("1.1.1.1", "203.0.113.9", "35.191.0.1")).key())
        .isEqualTo("203.0.113.9");
    assertThat(TWO.find(forwarded("1.1.1.1, 203.0.113.9", "", "35.191.0.1")).key())
        .isEqualTo("203.0.113.9");
  }

  @Test
  void one_hop_is_what_the_peer_adds() {
    ClientAddress one = PEER.withTrustedHops(1);
    assertThat(one.find(forwarded("1.1.1.1, 203.0.113.9")).key()).isEqualTo("203.0.113.9");
    assertThat(one.find(forwarded("1.1.1.1, 10.0.0.9")).key()).isEqualTo("10.0.0.9");
  }

  @Test
  void a_peer_that_is_not_trusted_is_the_client_whatever_the_number_is() {
    FakeRequest request =
        FakeRequest.get("/").from("198.51.100.7").header(XFF, "203.0.113.9, 35.191.0.1");
    assertThat(TWO.find(request).key()).isEqualTo("198.51.100.7");
    FakeRequest rewritten = forwarded("203.0.113.9, 35.191.0.1").rewritten();
    assertThat(TWO.find(rewritten).key()).isEqualTo("10.0.0.1");
    assertThat(TWO.find(FakeRequest.get("/").from("10.0.0.1")).basis())
        .isEqualTo(ClientAddress.Basis.NO_HEADER);
  }

  @Test
  void the_elements_of_Forwarded_are_counted_too() {
    ClientAddress forwarded =
        ClientAddress.behind(List.of("unix", "10.0.0.0/8"), "Forwarded").withTrustedHops(2);
    FakeRequest request =
        FakeRequest.get("/")
            .from("")
            .header("Forwarded", "for=1.1.1.1, for=\"[2001:db8::7]\";proto=https, for=35.191.0.1");
    assertThat(forwarded.find(request).key()).isEqualTo("2001:db8::/64");
    FakeRequest hidden =
        FakeRequest.get("/").from("").header("Forwarded", "for=1.1.1.1, for=_x, for=35.191.0.1");
    assertThat(forwarded.find(hidden).key()).isEqualTo("none");
  }

  @Test
  void the_hops_belong_to_the_first_header() {
    ClientAddress both = TWO.orBehind(List.of("192.0.2.0/24"), "CF-Connecting-IP");
    FakeRequest request =
        FakeRequest.get("/")
            .from("192.0.2.1")
            .header(XFF, "1.1.1.1, 2.2.2.2")
            .header("CF-Connecting-IP", "203.0.113.9");
    assertThat(both.find(request).key()).isEqualTo("203.0.113.9");
    assertThat(both.find(forwarded("203.0.113.9, 35.191.0.1")).key()).isEqualTo("203.0.113.9");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 33, Integer.MAX_VALUE})
  void hops_are_from_1_to_32(int hops) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PEER.withTrustedHops(hops))
        .withMessage("trusted-hops: " + hops + " (expected: from 1 to 32)");
  }

  @Test
  void hops_without_trusted_proxies_would_never_be_counted() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.ofPeer().withTrustedHops(2))
        .withMessage("trusted-proxies: [] (expected: a network, or else no hop is counted)");
  }

  private static FakeRequest forwarded(String... lines) {
    return FakeRequest.get("/").from("10.0.0.1").header(XFF, lines);
  }
}

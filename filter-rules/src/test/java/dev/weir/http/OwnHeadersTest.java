package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proxies may have different headers. The peer alone decides which of them is read. */
class OwnHeadersTest {

  private static final String XFF = "X-Forwarded-For";
  private static final String CF = "CF-Connecting-IP";
  private static final ClientAddress BOTH =
      ClientAddress.behind(List.of("10.0.0.0/8"), XFF)
          .orBehind(List.of("192.0.2.0/24", "10.9.0.0/16"), CF);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.0.0.1     | 203.0.113.1 | 203.0.113.2 | 203.0.113.1
          192.0.2.1    | 203.0.113.1 | 203.0.113.2 | 203.0.113.2
          10.9.0.1     | 203.0.113.1 | 203.0.113.2 | 203.0.113.2
          198.51.100.7 | 203.0.113.1 | 203.0.113.2 | 198.51.100.7
          10.0.0.1     |             | 203.0.113.2 | 10.0.0.1
          192.0.2.1    | 203.0.113.1 |             | 192.0.2.1
          192.0.2.1    | 203.0.113.1 | unknown     | 192.0.2.1
          """)
  void the_header_of_the_peer_is_read_and_no_other(
      String peer, String forwarded, String connecting, String key) {
    FakeRequest request = FakeRequest.get("/").from(peer);
    if (forwarded != null) {
      request.header(XFF, forwarded);
    }
    if (connecting != null) {
      request.header(CF, connecting);
    }
    assertThat(BOTH.find(request).key()).isEqualTo(key);
  }

  /** Nobody has read the header in which the other proxy names its client. */
  @Test
  void a_walk_ends_at_a_proxy_with_another_header() {
    FakeRequest request =
        FakeRequest.get("/").from("10.0.0.1").header(XFF, "203.0.113.1, 192.0.2.1, 10.0.0.2");
    assertThat(BOTH.find(request).key()).isEqualTo("192.0.2.1");
    assertThat(BOTH.find(request).basis()).isEqualTo(ClientAddress.Basis.OTHER_PROXY);
    assertThat(BOTH.find(request).address()).isEmpty();
    FakeRequest other = FakeRequest.get("/").from("192.0.2.1").header(CF, "203.0.113.1, 10.0.0.2");
    assertThat(BOTH.find(other).key()).isEqualTo("10.0.0.2");
    FakeRequest same = FakeRequest.get("/").from("192.0.2.1").header(CF, "203.0.113.1, 10.9.0.2");
    assertThat(BOTH.find(same).key()).isEqualTo("203.0.113.1");
  }

  @Test
  void a_Unix_socket_has_a_header_too() {
    ClientAddress unix =
        ClientAddress.behind(List.of("10.0.0.0/8"), XFF).orBehind(List.of("unix"), "X-Real-IP");
    FakeRequest request =
        FakeRequest.get("/").from("").header(XFF, "203.0.113.1").header("X-Real-IP", "203.0.113.2");
    assertThat(unix.find(request).key()).isEqualTo("203.0.113.2");
    assertThat(unix.trustsUnixSockets()).isTrue();
  }

  @Test
  void proxies_with_a_header_of_their_own_are_trusted_like_others() {
    assertThat(BOTH.isPeerTrusted(FakeRequest.get("/").from("192.0.2.1"))).isTrue();
    assertThat(BOTH.isPeerTrusted(FakeRequest.get("/").from("198.51.100.7"))).isFalse();
    assertThat(BOTH)
        .hasToString(
            "X-Forwarded-For of 10.0.0.0/8; CF-Connecting-IP of 192.0.2.0/24, 10.9.0.0/16");
  }

  @Test
  void a_network_has_one_header() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BOTH.orBehind(List.of("10.0.0.0/8"), "X-Real-IP"))
        .withMessage(
            "trusted-proxies: '10.0.0.0/8' (expected: each network once, with 'X-Forwarded-For' or with 'X-Real-IP')");
    assertThat(BOTH.orBehind(List.of("10.0.0.0/8"), "x-forwarded-for")).isNotNull();
    ClientAddress unix = ClientAddress.behind(List.of("unix"), XFF);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unix.orBehind(List.of("unix"), "X-Real-IP"))
        .withMessageStartingWith("trusted-proxies: 'unix' (expected: each network once");
  }

  @Test
  void all_networks_together_are_not_every_address() {
    ClientAddress half = ClientAddress.behind(List.of("0.0.0.0/1"), XFF);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.orBehind(List.of("128.0.0.0/1"), CF))
        .withMessageContaining("clients choose an address");
  }
}

package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Under the prefix of a translator, an IPv6 address counts as the IPv4 address within. */
class Nat64Test {

  /** The table of RFC 6052, 2.4, and its neighbours. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2001:db8::/32            | 2001:db8:c000:221::          | 192.0.2.33
          2001:db8:100::/40        | 2001:db8:1c0:2:21::          | 192.0.2.33
          2001:db8:122::/48        | 2001:db8:122:c000:2:2100::   | 192.0.2.33
          2001:db8:122:300::/56    | 2001:db8:122:3c0:0:221::     | 192.0.2.33
          2001:db8:122:344::/64    | 2001:db8:122:344:c0:2:2100:: | 192.0.2.33
          2001:db8:122:344::/96    | 2001:db8:122:344::192.0.2.33 | 192.0.2.33
          2001:db8:122:344::/96    | 2001:db8:122:344::c000:221   | 192.0.2.33
          2001:db8:64::/96         | 2001:db8:64::203.0.113.9     | 203.0.113.9
          2001:db8:64::/96         | [2001:db8:64::cb00:7109]:80  | 203.0.113.9
          2001:db8:64::/96         | 2001:db8:64::255.255.255.255 | 255.255.255.255
          2001:db8:64::/96         | 2001:db8:64::                | 0.0.0.0
          2001:db8:64::/96         | 2001:db8:64::1:cb00:7109     | 2001:db8:64::/64
          2001:db8:64::/96         | 2001:db8:65::cb00:7109       | 2001:db8:65::/64
          2001:db8:122::/48        | 2001:db8:122:c000:102:2100:: | 2001:db8:122:c000::/64
          2001:db8:122:344::/64    | 2001:db8:122:344:c0:2:2100:7 | 192.0.2.33
          2001:db8:64::/96         | ::ffff:203.0.113.9           | 203.0.113.9
          2001:db8:64::/96         | 64:ff9b::203.0.113.9         | 203.0.113.9
          2001:db8:64::/96         | 203.0.113.9                  | 203.0.113.9
          """)
  void an_address_counts_as_the_one_within(String prefix, String peer, String key) {
    ClientAddress address = ClientAddress.ofPeer().withNat64(List.of(prefix));
    ClientAddress.Found found = address.find(FakeRequest.get("/").from(peer));
    assertThat(found.key()).isEqualTo(key);
    assertThat(found.basis()).isEqualTo(ClientAddress.Basis.PEER);
  }

  @Test
  void lists_see_the_IPv4_address() {
    ClientAddress address = ClientAddress.ofPeer().withNat64(List.of("2001:db8:64::/96"));
    FakeRequest request = FakeRequest.get("/").from("2001:db8:64::203.0.113.9");
    assertThat(address.find(request).address()).hasToString("Optional[203.0.113.9]");
  }

  @Test
  void a_proxy_and_its_client_may_both_come_through_a_translator() {
    ClientAddress address =
        ClientAddress.behind(List.of("10.0.0.0/8"), "X-Forwarded-For")
            .withNat64(List.of("2001:db8:64::/96", "2001:db8:65::/96"));
    FakeRequest request =
        FakeRequest.get("/")
            .from("2001:db8:64::10.0.0.1")
            .header("X-Forwarded-For", "1.1.1.1, 2001:db8:65::203.0.113.9");
    assertThat(address.find(request).key()).isEqualTo("203.0.113.9");
    assertThat(address)
        .hasToString("X-Forwarded-For of 10.0.0.0/8; NAT64 2001:db8:64::/96, 2001:db8:65::/96");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2001:db8:64::           | a NAT64 prefix of 32, 40, 48, 56, 64 or 96 bits, such as 2001:db8:64::/96
          2001:db8:64::/80        | a NAT64 prefix of 32, 40
          2001:db8:64::/096       | a NAT64 prefix of 32, 40
          2001:db8:64::/96/96     | a NAT64 prefix of 32, 40
          10.0.0.0/32             | a NAT64 prefix of 32, 40
          prefix/96               | a NAT64 prefix of 32, 40
          /96                     | a NAT64 prefix of 32, 40
          ::/96                   | a NAT64 prefix of 32, 40
          ::ffff:0.0.0.0/96       | a NAT64 prefix of 32, 40
          64:ff9b::/96            | a prefix of your provider: 64:ff9b::/96 always counts as IPv4
          2001:db8:64::1/96       | 2001:db8:64::/96, with nothing behind the prefix
          2001:db8:64::/32        | 2001:db8::/32, with nothing behind the prefix
          2001:db8:64:0:100::/96  | a prefix whose bits 64 to 71 are zero, as RFC 6052 has it
          """)
  void a_prefix_has_a_length_of_RFC_6052_and_nothing_behind(String prefix, String expected) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.ofPeer().withNat64(List.of(prefix)))
        .withMessageStartingWith("nat64: '" + prefix + "' (expected: " + expected);
  }

  @Test
  void prefixes_do_not_overlap() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ClientAddress.ofPeer().withNat64(List.of("2001:db8:64::/96", "2001:db8::/32")))
        .withMessage("nat64: '2001:db8::/32' (expected: prefixes that do not overlap)");
  }

  @Test
  void a_trusted_proxy_under_a_prefix_would_never_be_found() {
    String expected =
        "nat64: [2001:db8:64::/96] (expected: no trusted proxy there: list it by its IPv4 address)";
    ClientAddress proxy = ClientAddress.behind(List.of("2001:db8:64::a00:1"), "Forwarded");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy.withNat64(List.of("2001:db8:64::/96")))
        .withMessage(expected);
    ClientAddress translated = ClientAddress.ofPeer().withNat64(List.of("2001:db8:64::/96"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> translated.orBehind(List.of("2001:db8:64::a00:0/104"), "Forwarded"))
        .withMessage(expected);
  }
}

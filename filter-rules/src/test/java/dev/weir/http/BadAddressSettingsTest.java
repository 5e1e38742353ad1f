package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trusting the wrong network lets clients choose their address, so settings are read strictly. */
class BadAddressSettingsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "localhost",
        "shop.example",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/x",
        "10.0.0.0/08",
        " 10.0.0.0/08",
        "10.0.0.0/255.0.0.0",
        "10.0.0.0/8/8",
        "10.0.0",
        "10/8",
        "10.*",
        "10.0.0.0-255",
        "*",
        "/8",
        "010.0.0.0/8",
        "0x0a.0.0.0/8",
        "256.0.0.0/8",
        "2001:db8::/129",
        "2001:db8:::/32",
        "fe80::1%eth0",
        "[2001:db8::]/32",
        "10.0.0.0/8, 192.168.0.0/16",
        "10.0.0.0\n/8"
      })
  void a_network_is_in_cidr_form(String network) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.behind(List.of(network), "X-Forwarded-For"))
        .withMessageStartingWith("trusted-proxies: '")
        .withMessageContaining("(expected: a network such as 10.0.0.0/8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:", "Unix", "UNIX", "unixs"})
  void the_word_for_unix_sockets_is_suggested(String word) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.behind(List.of(word), "X-Forwarded-For"))
        .withMessage(
            "trusted-proxies: '"
                + word
                + "' (expected: unix, which trusts the peers of Unix sockets; did you mean 'unix'?)");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/8, '10.0.0.0/8, or the address alone'",
    "192.168.1.0/16, '192.168.0.0/16, or the address alone'",
    "2001:db8::1/32, '2001:db8::/32, or the address alone'",
    "0.0.0.0/0, your proxies' networks",
    "::/0, your proxies' networks",
    "::ffff:10.0.0.0/104, the IPv4 network in its own form",
    "::ffff:10.0.0.1, the IPv4 network in its own form"
  })
  void a_network_means_what_it_says(String network, String expectation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.behind(List.of(network), "X-Forwarded-For"))
        .withMessageStartingWith("trusted-proxies: '" + network + "' (expected: " + expectation);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0/1 128.0.0.0/1",
        "10.0.0.0/8 128.0.0.0/1 0.0.0.0/2 64.0.0.0/2",
        "::/1 10.0.0.0/8 8000::/1"
      })
  void networks_that_together_are_every_address_of_a_family_are_refused(String networks) {
    List<String> all = List.of(networks.split(" ", -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.behind(all, "X-Forwarded-For"))
        .withMessageStartingWith("trusted-proxies: [")
        .withMessageContaining("(expected: your proxies' networks");
  }

  @Test
  void networks_that_leave_some_addresses_are_read() {
    List<String> most = List.of("0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3", "::/1");
    assertThat(ClientAddress.behind(most, "X-Forwarded-For").trustsProxies()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unix",
        "10.0.0.0/8",
        "10.0.0.1",
        "10.0.0.1/32",
        "2001:db8::/32",
        "::1",
        "::1/128"
      })
  void networks_and_single_addresses_are_read(String network) {
    assertThat(ClientAddress.behind(List.of(network), "X-Forwarded-For")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "X Forwarded", "X-Forwarded-For:", "X-Forwärded", "a,b", "a\r\nb", "(x)"})
  void a_header_is_a_field_name(String header) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.behind(List.of("10.0.0.0/8"), header))
        .withMessageStartingWith("header: '")
        .withMessageContaining("(expected: a field name such as X-Forwarded-For)");
  }

  @Test
  void a_header_without_proxies_to_trust_would_never_be_read() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.behind(List.of(), "X-Forwarded-For"))
        .withMessage(
            "trusted-proxies: [] (expected: a network, or else 'X-Forwarded-For' is never read)");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 32, 47, 129, Integer.MAX_VALUE})
  void an_ipv6_prefix_is_from_48_to_128(int bits) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientAddress.ofPeer().withIpv6Prefix(bits))
        .withMessage("ipv6-prefix: " + bits + " (expected: from 48 to 128)");
  }
}

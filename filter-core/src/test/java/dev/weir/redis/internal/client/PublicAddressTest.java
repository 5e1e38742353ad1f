package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An address is private by its number alone. */
class PublicAddressTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          203.0.113.9,    true
          8.8.8.8,        true
          100.63.0.1,     true
          100.128.0.1,    true
          172.32.0.1,     true
          2001:db8::1,    true
          fe00::1,        true
          127.0.0.1,      false
          10.1.2.3,       false
          172.16.0.1,     false
          192.168.0.1,    false
          169.254.0.1,    false
          100.64.0.1,     false
          100.127.255.1,  false
          0.0.0.0,        false
          ::1,            false
          fc00::1,        false
          fd12::1,        false
          fe80::1,        false
          ::ffff:10.0.0.1, false
          """)
  void private_networks_are_known(String address, boolean isPublic) throws UnknownHostException {
    assertThat(ServerAdvice.isPublic(InetAddress.getByName(address))).isEqualTo(isPublic);
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The line at the start says how clients are found. */
class StartLineTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                          | peer
          { trusted-proxies: [10.0.0.5] }                             | X-Forwarded-For of 10.0.0.5
          { trusted-proxies: [10.0.0.5], trusted-hops: 2 }            | X-Forwarded-For of 10.0.0.5 with 2 trusted hops
          { trusted-proxies: [10.0.0.5, { networks: [unix, 192.0.2.0/24], header: CF-Connecting-IP }] } | X-Forwarded-For of 10.0.0.5; CF-Connecting-IP of unix, 192.0.2.0/24
          { nat64: 2001:db8:64::/96 }                                 | peer; NAT64 2001:db8:64::/96
          { trusted-proxies: [unix, 192.0.2.0/28], header: Forwarded } | Forwarded of unix, 192.0.2.0/28
          { trusted-proxies: [10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4, 10.0.0.5, 10.0.0.6, 10.0.0.7, 10.0.0.8, 10.0.0.9, 10.0.0.10] } | X-Forwarded-For of 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4, 10.0.0.5, 10.0.0.6, 10.0.0.7, 10.0.0.8, 2 more
          """)
  void it_names_the_header_and_the_proxies(String clientAddress, String described) {
    String rules = "rules: [{ name: all, match: /**, subject: ip, limits: [9 per hour] }]";
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = Weir.of("client-address: " + clientAddress + "\n" + rules)) {
      assertThat(weir.clientAddress()).hasToString(described);
      assertThat(log.text()).contains("client address: " + described + ";");
    }
  }
}

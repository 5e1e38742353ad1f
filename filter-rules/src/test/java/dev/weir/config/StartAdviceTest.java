package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a configuration allows, and its owner hardly means. */
class StartAdviceTest {

  @ParameterizedTest
  @ValueSource(strings = {"16.0.0.0/4", "0.0.0.0/1", "8.0.0.0/7", "2000::/3", "2000::/15"})
  void trusted_proxies_that_are_many_are_a_warning(String network) {
    assertThat(trusting(network))
        .singleElement()
        .asString()
        .startsWith("'trusted-proxies' has " + network + ", far more addresses than proxies have");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/8", "8.0.0.0/8", "127.0.0.1", "2001::/16", "fc00::/7", "unix"})
  void networks_of_proxies_are_none(String network) {
    assertThat(trusting(network)).isEmpty();
  }

  private static List<String> trusting(String network) {
    return Weirs.settings(
            """
            client-address: { trusted-proxies: ["%s"] }
            rules: [{ name: all, match: /**, subject: ip, limits: 5 per second }]
            """
                .formatted(network))
        .advice();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          redis: redis://cache                                        | ip          | true
          redis: redis://cache                                        | principal   | true
          redis: redis://cache                                        | basic-user  | true
          redis: { uri: redis://cache, secret: 0123456789abcdef0123 } | ip          | false
          redis: redis://cache                                        | global      | false
          nodes: 1                                                    | ip          | false
          """)
  void short_values_in_redis_without_a_secret_are_a_note_and_no_warning(
      String redis, String subject, boolean isNoted) {
    String yaml =
        """
        application: shop
        %s
        rules: [{ name: all, match: /**, subject: %s, limits: 5 per second, on-outage: deny }]
        """
            .formatted(redis, subject);
    assertThat(Weirs.settings(yaml).origin().notes())
        .hasSize(isNoted ? 1 : 0)
        .allMatch(note -> note.startsWith("'redis' has no 'secret'"));
    assertThat(Weirs.settings(yaml).advice()).noneMatch(line -> line.contains("secret"));
  }
}

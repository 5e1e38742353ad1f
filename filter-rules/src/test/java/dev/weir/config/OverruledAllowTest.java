package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.internal.read.Advice;
import dev.weir.config.internal.read.Settings;
import dev.weir.http.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rule that allows during an outage does not, where a stricter rule decides with it. */
class OverruledAllowTest {

  private static final String REDIS = "application: shop\nredis: redis://cache\nnodes: 1\n";

  @Test
  void a_warning_names_both_rules() {
    assertThat(advice(REDIS, "/search", "/**", "on-outage: deny"))
        .containsExactly(
            "rule 'open' has 'on-outage: allow', but rule 'other' with 'on-outage: deny' matches"
                + " some of the same requests: during an outage, the stricter rule decides about"
                + " those");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          /search     | /**     | ''                         | 1
          /search     | /**     | on-outage: allow           | 0
          /search     | /login  | ''                         | 0
          annotations | /**     | ''                         | 0
          GET /search | POST /* | ''                         | 0
          /search     | /**     | on-denial: shadow          | 0
          /search     | /**     | on-denial: degrade         | 0
          /search     | /**     | subject: global            | 1
          """)
  void it_is_given_where_both_decide_one_request(
      String open, String other, String settings, int warnings) {
    assertThat(advice(REDIS, open, other, settings)).hasSize(warnings);
  }

  @Test
  void it_is_given_where_one_annotated_element_leads_to_both() {
    Settings settings = settings(REDIS, "annotations", "annotations", "");
    List<Rule> rules = settings.rules().enabled();
    assertThat(Advice.of(settings, rules, rules.subList(0, 1))).isEmpty();
    assertThat(Advice.of(settings, rules, rules.subList(1, 2))).isEmpty();
    assertThat(Advice.of(settings, rules, rules)).hasSize(1);
  }

  @Test
  void without_Redis_there_is_no_outage() {
    assertThat(advice("", "/search", "/**", "on-outage: deny")).isEmpty();
  }

  private static List<String> advice(String head, String open, String other, String settings) {
    return settings(head, open, other, settings).advice();
  }

  private static Settings settings(String head, String open, String other, String settings) {
    String yaml =
        """
        %s
        rules:
          - { name: open, match: %s, limits: 5 per second, on-outage: allow }
          - { name: other, match: %s, limits: 9 per second%s }
        """
            .formatted(head, open, other, settings.isEmpty() ? "" : ", " + settings);
    return Weirs.settings(yaml);
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** The line about a reload names what has changed. */
class ReloadedChangesTest extends LiveConfiguration {

  private static final String BEFORE =
      """
      nodes: 2
      limits: { one: 1 per hour, two: 2 per hour }
      rules:
        - { name: a, match: /a, limits: one }
        - { name: b, match: /b, limits: two }
      """;

  @Test
  void limits_and_rules_are_named_that_were_added_removed_or_changed() {
    file.change(BEFORE);
    assertThat(
            reloaded(
                """
                nodes: 2
                limits: { two: 22 per hour, three: 3 per hour }
                rules:
                  - { name: b, match: /bb, limits: two }
                  - { name: c, match: /c, limits: three }
                """))
        .isEqualTo(
            "limits added 'three', removed 'one', changed 'two'; rules added 'c', removed 'a',"
                + " changed 'b'");
  }

  @Test
  void other_settings_are_named_by_their_key_alone() {
    file.change(BEFORE);
    assertThat(reloaded(BEFORE.replace("nodes: 2", "nodes: 3\nmax-counters: 5000")))
        .isEqualTo("'max-counters' 'nodes'");
  }

  @Test
  void another_order_of_rules_is_a_change_and_a_comment_is_none() {
    file.change(BEFORE);
    String rule = "  - { name: a, match: /a, limits: one }\n";
    assertThat(reloaded(BEFORE.replace(rule, "") + rule)).isEqualTo("rules in another order");
    assertThat(reloaded("# why\n" + BEFORE.replace(rule, "") + rule)).isEqualTo("nothing");
  }

  @Test
  void what_was_refused_in_between_is_no_state_to_compare_with() {
    file.change(BEFORE);
    file.change("rules: [{ name: a, match: /**, limits: nonsense }]");
    assertThat(reloaded(BEFORE.replace("/a,", "/aa,"))).isEqualTo("rules changed 'a'");
  }

  @Test
  void many_names_are_cut_short() {
    StringBuilder rules = new StringBuilder("rules:\n");
    for (int i = 0; i < 50; i++) {
      rules.append("  - { name: r%02d, match: /%d, limits: 1 per hour }\n".formatted(i, i));
    }
    assertThat(reloaded(rules.toString()))
        .contains("'r00'", "'r19' and 30 more")
        .hasSizeLessThan(300);
  }

  /** Reloads this, and returns what the log says has changed. */
  private String reloaded(String yaml) {
    try (LogCapture log = new LogCapture("dev.weir.config")) {
      file.change(yaml);
      List<String> lines = log.records().stream().map(LogRecord::getMessage).toList();
      assertThat(lines).anyMatch(line -> line.contains("Reloaded, changed: "));
      return lines.stream()
          .filter(line -> line.contains("Reloaded, changed: "))
          .map(line -> line.substring(line.indexOf("changed: ") + "changed: ".length()))
          .findFirst()
          .orElseThrow();
    }
  }
}

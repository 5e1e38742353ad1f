package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever stands in a configuration, it is read or refused: nothing else is ever thrown. */
@Timeout(120)
class MutatedFilesTest {

  private static final int MUTANTS = 2_000;
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ":",
          ": ",
          ",",
          "- ",
          "\n",
          "\n  ",
          "\t",
          "&a ",
          "*a",
          "!x ",
          "|",
          ">",
          "'",
          "\"",
          "#",
          "? ",
          "%",
          "@",
          "~",
          "${",
          "${A}",
          "${A:-",
          "---\n",
          "...\n",
          "0",
          "-1",
          "9223372036854775808",
          ".nan",
          "1e309",
          "\u0000",
          "\uD800",
          "\uFEFF",
          "é",
          "𝒳",
          "null",
          "true",
          "ip",
          "per",
          "/",
          "//",
          "**",
          " ",
          "burst 0",
          "\\",
          "\u0085",
          "\u2028");

  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void files_are_read_or_refused() {
    int refused = 0;
    for (int i = 0; i < MUTANTS; i++) {
      String mutant = mutated(SampleFileTest.SAMPLE);
      try {
        assertThat(Weirs.settings(mutant)).isNotNull();
      } catch (ConfigurationException problems) {
        assertThat(problems.problems()).isNotEmpty();
        assertThat(problems.problems()).allMatch(problem -> !problem.expected().isBlank());
        refused++;
      } catch (RuntimeException | StackOverflowError wrong) {
        throw new AssertionError("neither read nor refused: " + mutant, wrong);
      }
    }
    assertThat(refused).isBetween(MUTANTS / 10, MUTANTS - 1);
  }

  @Test
  void init_params_are_read_or_refused() {
    List<String> params =
        List.of(
            "limit",
            "name",
            "subject",
            "match",
            "except",
            "missing",
            "cost",
            "enabled",
            "nodes",
            "application",
            "redis",
            "deadline",
            "clock",
            "secret",
            "password-file",
            "ca-file",
            "addresses",
            "on-outage",
            "trusted-proxies",
            "header",
            "ipv6-prefix",
            "ignore-case",
            "denied",
            "legacy-headers",
            "listener",
            "x");
    for (int i = 0; i < MUTANTS; i++) {
      Map<String, String> mutant = new HashMap<>(Map.of("limit", mutated("5/s, burst 9")));
      mutant.put(params.get(random.nextInt(params.size())), mutated("/a, ip\n10.0.0.0/8"));
      try {
        assertThat(Weirs.settings(mutant)).isNotNull();
      } catch (ConfigurationException problems) {
        assertThat(problems.problems()).isNotEmpty();
      } catch (RuntimeException | StackOverflowError wrong) {
        throw new AssertionError("neither read nor refused: " + mutant, wrong);
      }
    }
  }

  private String mutated(String text) {
    StringBuilder mutant = new StringBuilder(text);
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      int at = random.nextInt(mutant.length() + 1);
      int end = Math.min(mutant.length(), at + random.nextInt(8));
      switch (random.nextInt(3)) {
        case 0 -> mutant.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> mutant.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
        default -> mutant.insert(random.nextInt(mutant.length() + 1), mutant.substring(at, end));
      }
    }
    return mutant.toString();
  }
}

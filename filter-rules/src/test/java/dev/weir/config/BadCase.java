package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.internal.document.Variables;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration with one mistake and what is said of it.
 *
 * @param text a file, where » stands before the place that the problem must name
 * @param expected a part of the expectation
 * @param suggestion the whole suggestion, or empty for none
 */
record BadCase(String text, String field, String found, String expected, String suggestion) {

  static final char MARK = '»';

  static BadCase bad(String text, String field, String found, String expected) {
    return new BadCase(text, field, found, expected, "");
  }

  /**
   * With this as the body of a rule, which matches all unless it says what; limits {@code a} and
   * {@code login} can be named.
   */
  static BadCase rule(String body, String field, String found, String expected) {
    String match = body.contains("match:") ? "" : ", match: /**";
    return bad(
        "limits: { a: 5 per second, login: 9 per day window }\nrules:\n  - { "
            + body
            + match
            + " }\n",
        field.isEmpty() ? "rules[0]" : "rules[0]." + field,
        found,
        expected);
  }

  /** With this as a limit. */
  static BadCase limit(String limit, String found, String expected) {
    return bad("limits:\n  x: »" + limit + "\n", "limits.x", found, expected);
  }

  BadCase suggests(String right) {
    return new BadCase(text, field, found, expected, right);
  }

  void verifyFile(Variables variables) {
    int mark = text.indexOf(MARK);
    String yaml = mark < 0 ? text : text.substring(0, mark) + text.substring(mark + 1);
    Problem problem = Complaints.only(() -> Weirs.settings(yaml, variables));
    assertThat(problem.file()).isEqualTo("weir.yaml");
    verify(problem);
    if (mark >= 0) {
      String before = text.substring(0, mark);
      int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
      int column = mark - before.lastIndexOf('\n');
      assertThat(problem.line() + ":" + problem.column())
          .as("place of %s", problem)
          .isEqualTo(line + ":" + column);
    }
  }

  void verifyParams(Map<String, String> params) {
    Problem problem = Complaints.only(() -> Weirs.settings(params));
    assertThat(problem.file()).isEqualTo("filter 'limits'");
    assertThat(problem.line()).isZero();
    verify(problem);
  }

  private void verify(Problem problem) {
    assertThat(problem.field()).as("field of %s", problem).isEqualTo(field);
    assertThat(problem.found()).as("found of %s", problem).isEqualTo(found);
    assertThat(problem.expected()).as("expectation of %s", problem).contains(expected);
    assertThat(problem.suggestion())
        .as("suggestion of %s", problem)
        .isEqualTo(suggestion.isEmpty() ? Optional.empty() : Optional.of(suggestion));
  }

  @Override
  public String toString() {
    return text.replace("\n", "⏎");
  }
}

package dev.weir.config;

import java.io.Serial;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Thrown when a configuration cannot be used. It carries every problem, so that one failed start
 * reports them all. The message has one line for each problem.
 */
public final class ConfigurationException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public ConfigurationException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems in the order in which they were found, at least one. */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * One problem in a configuration.
   *
   * @param file its source: a file, or the filter that has the init-param
   * @param line from 1; 0 where there are no lines
   * @param column from 1; 0 where there are no lines
   * @param field the setting: {@code rules[2].subject}, counted from 0, or {@code init-param
   *     'limit'}
   * @param found the present value, never a secret
   * @param expected the expected value
   * @param suggestion the nearest valid spelling, if one is near
   */
  public record Problem(
      String file,
      int line,
      int column,
      String field,
      String found,
      String expected,
      Optional<String> suggestion) {

    /**
     * Returns {@code weir.yaml:9:12: limits.login: 'x' (expected: a limit …; did you mean 'y'?)}.
     */
    @Override
    public String toString() {
      String place = line == 0 ? file : file + ":" + line + ":" + column;
      String name = field.isEmpty() ? "" : field + ": ";
      String hint = suggestion.map(right -> "; did you mean '" + right + "'?").orElse("");
      return place + ": " + name + found + " (expected: " + expected + hint + ")";
    }
  }
}

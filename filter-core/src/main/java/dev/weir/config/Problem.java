package dev.weir.config;

import java.util.Optional;

/**
 * One problem in a configuration.
 *
 * @param file its source: a file, or the filter that has the init-param
 * @param line from 1; 0 where there are no lines
 * @param column from 1; 0 where there are no lines
 * @param field the setting: {@code rules[2].subject}, counted from 0, or {@code init-param 'limit'}
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

  /** Returns {@code weir.yaml:9:12: limits.login: 'x' (expected: a limit …; did you mean 'y'?)}. */
  @Override
  public String toString() {
    String place = line == 0 ? file : file + ":" + line + ":" + column;
    String name = field.isEmpty() ? "" : field + ": ";
    String hint = suggestion.map(right -> "; did you mean '" + right + "'?").orElse("");
    return place + ": " + name + found + " (expected: " + expected + hint + ")";
  }
}

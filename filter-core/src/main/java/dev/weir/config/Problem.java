package dev.weir.config;

import java.util.Optional;

/**
 * One thing that is wrong in a configuration.
 *
 * @param file what holds it: a file, or the filter whose init-param it is
 * @param line from 1; 0 where there are no lines
 * @param column from 1; 0 where there are no lines
 * @param field which setting: {@code rules[2].subject}, counted from 0, or {@code init-param
 *     'limit'}
 * @param found what stands there, never a secret
 * @param expected what should stand there
 * @param suggestion the nearest right spelling, where one is near
 */
public record Problem(
    String file,
    int line,
    int column,
    String field,
    String found,
    String expected,
    Optional<String> suggestion) {

  /** {@code weir.yaml:9:12: limits.login: 'x' (expected: a limit …; did you mean 'y'?)}. */
  @Override
  public String toString() {
    String place = line == 0 ? file : file + ":" + line + ":" + column;
    String name = field.isEmpty() ? "" : field + ": ";
    String hint = suggestion.map(right -> "; did you mean '" + right + "'?").orElse("");
    return place + ": " + name + found + " (expected: " + expected + hint + ")";
  }
}

package dev.weir.config.internal.document;

import java.util.function.UnaryOperator;

/**
 * The context that all values of one source share.
 *
 * @param naming maps a path to the name that the user knows: the path itself in a file, the param's
 *     name in a filter's init-params
 */
public record Reading(Problems problems, Substitution substitution, UnaryOperator<String> naming) {

  /** Returns the context of a file, where a field's name is its path. */
  public static Reading ofFile(String file, Variables variables) {
    return new Reading(new Problems(file), new Substitution(variables), UnaryOperator.identity());
  }

  public void problem(Node.Place place, String path, String found, String expected) {
    problems.add(place, naming.apply(path), found, expected);
  }
}

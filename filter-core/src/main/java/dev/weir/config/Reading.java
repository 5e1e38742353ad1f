package dev.weir.config;

import java.util.function.UnaryOperator;

/**
 * What all values of one source have in common.
 *
 * @param naming how a field is called towards the user: by its path in a file, by the param's name
 *     in a filter's init-params
 */
record Reading(Problems problems, Substitution substitution, UnaryOperator<String> naming) {

  /** The reading of a file, where a field is called by its path. */
  static Reading ofFile(String file, Environment environment) {
    return new Reading(new Problems(file), new Substitution(environment), UnaryOperator.identity());
  }

  void problem(Node.Place place, String path, String found, String expected) {
    problems.add(place, naming.apply(path), found, expected);
  }
}

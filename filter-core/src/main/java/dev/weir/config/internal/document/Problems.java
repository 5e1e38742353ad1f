package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Problem;
import dev.weir.internal.Redaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects the problems of one source, so that all of them are reported at once. */
public final class Problems {

  private final String file;
  private final List<Problem> found = new ArrayList<>();

  public Problems(String file) {
    this.file = file;
  }

  String file() {
    return file;
  }

  public void add(Node.Place place, String field, String what, String expected) {
    add(place, field, what, expected, Optional.empty());
  }

  public void add(
      Node.Place place, String field, String what, String expected, Optional<String> suggestion) {
    found.add(
        new Problem(
            file,
            place.line(),
            place.column(),
            field,
            Redaction.masked(what),
            expected,
            suggestion.map(Redaction::masked)));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw exception();
    }
  }

  ConfigurationException exception() {
    return new ConfigurationException(found);
  }

  /** Returns an exception with a single problem, which prevents further reading. */
  public static ConfigurationException only(
      String file, Node.Place place, String field, String what, String expected) {
    Problems problems = new Problems(file);
    problems.add(place, field, what, expected);
    return problems.exception();
  }
}

package dev.weir.http;

import java.util.Optional;

/** The check that shadows do not consume permits of other rules. */
public final class Shadows {

  private Shadows() {}

  /**
   * Returns the name of a limit that both rules charge. Empty unless exactly one of them is a
   * shadow.
   */
  public static Optional<String> sharedLimit(Rule one, Rule other) {
    if (one.isShadow() == other.isShadow()) {
      return Optional.empty();
    }
    return one.limits().stream()
        .map(NamedLimit::name)
        .filter(name -> other.limits().stream().anyMatch(limit -> limit.name().equals(name)))
        .findFirst();
  }
}

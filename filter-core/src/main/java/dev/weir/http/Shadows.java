package dev.weir.http;

import java.util.Optional;

/** What shadows may not do: spend what others are granted. */
public final class Shadows {

  private Shadows() {}

  /** The name of a limit that one of these charges in earnest and the other as a shadow. */
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

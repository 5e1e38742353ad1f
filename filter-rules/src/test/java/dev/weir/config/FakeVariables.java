package dev.weir.config;

import dev.weir.config.internal.document.Variables;
import java.util.Map;
import java.util.Optional;

/** An environment of which a test knows everything. */
public final class FakeVariables {

  static final Variables EMPTY = of(Map.of(), Map.of());

  private FakeVariables() {}

  static Variables of(String variable, String value) {
    return of(Map.of(variable, value), Map.of());
  }

  public static Variables of(Map<String, String> variables, Map<String, String> properties) {
    return new Variables(
        name -> Optional.ofNullable(variables.get(name)),
        name -> Optional.ofNullable(properties.get(name)));
  }

  /** An environment in which reading the variable BROKEN fails. */
  static Variables failing(Error failure) {
    return new Variables(
        name -> {
          if (name.equals("BROKEN")) {
            throw failure;
          }
          return Optional.empty();
        },
        name -> Optional.empty());
  }
}

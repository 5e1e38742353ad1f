package dev.weir.config;

import dev.weir.config.internal.document.Variables;
import java.util.Map;
import java.util.Optional;

/** An environment of which a test knows everything. */
public record FakeVariables(Map<String, String> variables, Map<String, String> properties)
    implements Variables {

  static final FakeVariables EMPTY = new FakeVariables(Map.of(), Map.of());

  static FakeVariables of(String variable, String value) {
    return new FakeVariables(Map.of(variable, value), Map.of());
  }

  @Override
  public Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name));
  }

  @Override
  public Optional<String> property(String name) {
    return Optional.ofNullable(properties.get(name));
  }
}

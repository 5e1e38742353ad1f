package dev.weir.config;

import java.util.Map;
import java.util.Optional;

/** An environment of which a test knows everything. */
record FakeEnvironment(Map<String, String> variables, Map<String, String> properties)
    implements Environment {

  static final FakeEnvironment EMPTY = new FakeEnvironment(Map.of(), Map.of());

  static FakeEnvironment of(String variable, String value) {
    return new FakeEnvironment(Map.of(variable, value), Map.of());
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

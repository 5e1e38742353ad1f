package dev.weir.config.internal.document;

import java.util.Optional;

/** The process environment: environment variables and system properties. */
public interface Variables {

  Variables SYSTEM =
      new Variables() {
        @Override
        public Optional<String> variable(String name) {
          return Optional.ofNullable(System.getenv(name));
        }

        @Override
        public Optional<String> property(String name) {
          return Optional.ofNullable(System.getProperty(name));
        }
      };

  Optional<String> variable(String name);

  Optional<String> property(String name);

  /** Returns the value of {@code ${name}}: the variable, else the system property of that name. */
  default Optional<String> value(String name) {
    return variable(name).or(() -> property(name));
  }
}

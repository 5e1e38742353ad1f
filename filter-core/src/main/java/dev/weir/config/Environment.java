package dev.weir.config;

import java.util.Optional;

/** What surrounds the process: variables of the environment and system properties. */
interface Environment {

  Environment SYSTEM =
      new Environment() {
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

  /** What {@code ${name}} stands for: the variable, else the system property of that name. */
  default Optional<String> value(String name) {
    return variable(name).or(() -> property(name));
  }
}

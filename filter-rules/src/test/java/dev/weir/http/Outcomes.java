package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Rejected;
import org.jspecify.annotations.Nullable;

/** Outcomes, as tests read them. */
final class Outcomes {

  private Outcomes() {}

  static Rejected rejected(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Rejected.class);
    return (Rejected) outcome;
  }

  static @Nullable String field(Outcome outcome, String name) {
    return outcome.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(Field::value)
        .findFirst()
        .orElse(null);
  }
}

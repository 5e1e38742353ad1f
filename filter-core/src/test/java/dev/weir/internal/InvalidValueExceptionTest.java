package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.limit.Limit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The error of a value has its parts, so that no reader takes the message apart. */
class InvalidValueExceptionTest {

  @Test
  void the_message_has_all_parts() {
    assertThat(Expect.failure("burst", 0, "> 0")).hasMessage("burst: 0 (expected: > 0)");
    assertThat(Expect.failure("unit", "'minut'", "us, ms", Optional.of("minute")))
        .hasMessage("unit: 'minut' (expected: us, ms; did you mean 'minute'?)");
  }

  @Test
  void an_error_of_a_limit_has_field_value_expectation_and_suggestion() {
    InvalidValueException refused = refused("5 per day windo");
    assertThat(refused.field()).isEqualTo("limit");
    assertThat(refused.value()).isEqualTo("'5 per day windo'");
    assertThat(refused.expected()).isEqualTo("nothing after the limit, but found 'windo'");
    assertThat(refused.suggestion()).contains("window");
    assertThat(refused("0 per second").suggestion()).isEmpty();
  }

  @Test
  void a_text_that_looks_like_a_message_is_a_value() {
    InvalidValueException refused = refused("burst: 0 (expected: > 0)");
    assertThat(refused.field()).isEqualTo("limit");
    assertThat(refused.value()).isEqualTo("'burst: 0 (expected: > 0)'");
  }

  private static InvalidValueException refused(String limit) {
    return catchThrowableOfType(InvalidValueException.class, () -> Limit.parse(limit));
  }
}

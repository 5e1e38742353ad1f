package dev.weir.internal;

import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown for a value that is not as expected. The message has one form: {@code burst: 0 (expected:
 * > 0)}. A reader of a configuration takes the parts, and adds the place of the value.
 */
public final class InvalidValueException extends IllegalArgumentException {

  @Serial private static final long serialVersionUID = 1L;

  private final String field;
  private final String value;
  private final String expected;
  private final @Nullable String suggestion;

  /**
   * @param field the name of the value
   * @param value the value as it may be shown, without credentials
   * @param expected what is expected instead
   * @param suggestion the nearest valid spelling, if one is near
   */
  public InvalidValueException(
      String field, String value, String expected, Optional<String> suggestion) {
    super(
        "%s: %s (expected: %s%s)"
            .formatted(
                field,
                value,
                expected,
                suggestion.map(near -> "; did you mean '" + near + "'?").orElse("")));
    this.field = field;
    this.value = value;
    this.expected = expected;
    this.suggestion = suggestion.orElse(null);
  }

  public String field() {
    return field;
  }

  public String value() {
    return value;
  }

  public String expected() {
    return expected;
  }

  public Optional<String> suggestion() {
    return Optional.ofNullable(suggestion);
  }
}

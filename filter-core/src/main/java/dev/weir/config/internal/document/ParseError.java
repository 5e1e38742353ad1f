package dev.weir.config.internal.document;

import dev.weir.internal.Redaction;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An error of the core about an argument, such as {@code burst: 0 (expected: > 0)}, related to the
 * text that contains the argument.
 */
public record ParseError(String found, String expected, Optional<String> suggestion) {

  private static final Pattern SHAPE =
      Pattern.compile(
          "(?<field>[^:]*): (?<value>.*) \\(expected: (?<expected>.*)\\)", Pattern.DOTALL);

  private static final Pattern HINT =
      Pattern.compile("(.*); did you mean '(.*)'\\?", Pattern.DOTALL);

  /** Returns the error about this text or a part of it. */
  public static ParseError of(IllegalArgumentException refused, String text, String expected) {
    Matcher shape = SHAPE.matcher(String.valueOf(refused.getMessage()));
    if (!shape.matches()) {
      return new ParseError(Redacted.quoted(text), expected, Optional.empty());
    }
    String value = shape.group("value");
    String found =
        Redaction.isUri(text) || isWhole(value, text)
            ? Redacted.quoted(text)
            : shape.group("field") + " " + Redacted.plain(value) + " in " + Redacted.quoted(text);
    return expecting(found, shape.group("expected"));
  }

  /**
   * Returns whether the value is the whole text. A value is shown escaped, and truncated if long.
   */
  private static boolean isWhole(String value, String text) {
    return value.contains(text) || value.contains(Redacted.escaped(text)) || value.endsWith("...");
  }

  /** Returns the error about several values together, which names one of them. */
  public static ParseError of(IllegalArgumentException refused, String expected) {
    Matcher shape = SHAPE.matcher(String.valueOf(refused.getMessage()));
    return shape.matches()
        ? expecting(
            shape.group("field") + " " + Redacted.plain(shape.group("value")),
            shape.group("expected"))
        : new ParseError("something else", expected, Optional.empty());
  }

  private static ParseError expecting(String found, String expected) {
    Matcher hint = HINT.matcher(expected);
    return hint.matches()
        ? new ParseError(found, hint.group(1), Optional.of(hint.group(2)))
        : new ParseError(found, expected, Optional.empty());
  }
}

package dev.weir.config;

import dev.weir.internal.Redaction;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the core says of an argument, {@code burst: 0 (expected: > 0)}, told of the text in which
 * the argument stands.
 */
record Complaint(String found, String expected, Optional<String> suggestion) {

  private static final Pattern SHAPE =
      Pattern.compile(
          "(?<field>[^:]*): (?<value>.*) \\(expected: (?<expected>.*)\\)", Pattern.DOTALL);

  private static final Pattern HINT =
      Pattern.compile("(.*); did you mean '(.*)'\\?", Pattern.DOTALL);

  /** A complaint about this text or a part of it. */
  static Complaint of(IllegalArgumentException refused, String text, String expected) {
    Matcher shape = SHAPE.matcher(String.valueOf(refused.getMessage()));
    if (!shape.matches()) {
      return new Complaint(Shown.quoted(text), expected, Optional.empty());
    }
    String value = shape.group("value");
    String found =
        Redaction.isUri(text) || isWhole(value, text)
            ? Shown.quoted(text)
            : shape.group("field") + " " + Shown.plain(value) + " in " + Shown.quoted(text);
    return expecting(found, shape.group("expected"));
  }

  /** A value is shown escaped, and cut off when it is long. */
  private static boolean isWhole(String value, String text) {
    return value.contains(text) || value.contains(Shown.escaped(text)) || value.endsWith("...");
  }

  /** A complaint about several values together, of which it names the one. */
  static Complaint of(IllegalArgumentException refused, String expected) {
    Matcher shape = SHAPE.matcher(String.valueOf(refused.getMessage()));
    return shape.matches()
        ? expecting(
            shape.group("field") + " " + Shown.plain(shape.group("value")), shape.group("expected"))
        : new Complaint("something else", expected, Optional.empty());
  }

  private static Complaint expecting(String found, String expected) {
    Matcher hint = HINT.matcher(expected);
    return hint.matches()
        ? new Complaint(found, hint.group(1), Optional.of(hint.group(2)))
        : new Complaint(found, expected, Optional.empty());
  }
}

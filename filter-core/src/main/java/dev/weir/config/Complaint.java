package dev.weir.config;

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

  static Complaint of(IllegalArgumentException refused, String text, String expected) {
    String message = String.valueOf(refused.getMessage());
    Matcher shape = SHAPE.matcher(message);
    if (!shape.matches()) {
      return new Complaint(Shown.quoted(text), expected, Optional.empty());
    }
    String value = shape.group("value");
    String what = shape.group("expected");
    Matcher hint = HINT.matcher(what);
    Optional<String> suggestion = hint.matches() ? Optional.of(hint.group(2)) : Optional.empty();
    String found =
        value.contains(text)
            ? Shown.quoted(text)
            : shape.group("field") + " " + Shown.plain(value) + " in " + Shown.quoted(text);
    return new Complaint(found, hint.matches() ? hint.group(1) : what, suggestion);
  }
}

package dev.weir.limit;

import dev.weir.internal.ByteUnit;
import dev.weir.internal.Expect;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scanner of a limit's text: numbers, words and single symbols, with blanks between them. */
final class LimitScanner {

  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9][0-9_.]*");
  private static final Pattern GROUPED = Pattern.compile("[+-]?[0-9]{1,3}(,[0-9]{3})+(?![0-9])");
  private static final Pattern WORD = Pattern.compile("\\p{L}+");

  private final String text;
  private int at;

  LimitScanner(String text) {
    this.text = text;
    skipBlanks();
  }

  /** Takes the next whole number, and returns it; empty when no number is next. */
  Optional<Long> number(String field) {
    Optional<String> grouped = take(GROUPED);
    if (grouped.isPresent()) {
      String plain = grouped.get().replace(',', '_');
      throw Expect.failure(field, grouped.get(), "a number without commas, as in " + plain);
    }
    return take(NUMBER).map(digits -> Expect.whole(field, digits));
  }

  Optional<String> word() {
    return take(WORD);
  }

  /** Takes the next unit of bytes, and returns it; empty when no unit is next. */
  Optional<ByteUnit> unit() {
    int start = at;
    Optional<ByteUnit> unit = word().flatMap(ByteUnit::named);
    if (unit.isEmpty()) {
      at = start;
    }
    return unit;
  }

  /** Takes this word, in any case, if it is next. */
  boolean word(String expected) {
    int start = at;
    if (word().filter(expected::equalsIgnoreCase).isPresent()) {
      return true;
    }
    at = start;
    return false;
  }

  /** Takes this symbol if it is next. */
  boolean symbol(char expected) {
    if (isDone() || text.charAt(at) != expected) {
      return false;
    }
    at++;
    skipBlanks();
    return true;
  }

  boolean isDone() {
    return at == text.length();
  }

  String rest() {
    return text.substring(at).strip();
  }

  void finish() {
    at = text.length();
  }

  private Optional<String> take(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      return Optional.empty();
    }
    at = matcher.end();
    skipBlanks();
    return Optional.of(matcher.group());
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }
}

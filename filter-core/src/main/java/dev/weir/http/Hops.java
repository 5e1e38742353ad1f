package dev.weir.http;

import java.util.List;
import java.util.Optional;

/**
 * The elements of a forwarding header, from the last line to the first and in each line from right
 * to left: the order in which proxies are to be believed.
 *
 * <p>Reading backwards is what makes it safe. The element at the right is the one that a trusted
 * proxy wrote, and it is delimited by what stands to its right alone: a client that opens a quoted
 * string and leaves it open spoils its own elements only. It is also lazy: the walk stops at the
 * first hop that is not trusted, and so reads no more of a long header than it needs.
 */
final class Hops {

  private final List<String> lines;
  private int line;
  private int end;

  Hops(List<String> lines) {
    this.lines = lines;
    this.line = lines.size() - 1;
    this.end = line < 0 ? 0 : lines.get(line).length();
  }

  /** The next element to the left, without blanks around it; empty when there is none. */
  Optional<String> next() {
    if (line < 0) {
      return Optional.empty();
    }
    String text = lines.get(line);
    int comma = commaBefore(text, end);
    String element = text.substring(comma + 1, end).strip();
    if (comma >= 0) {
      end = comma;
    } else {
      line--;
      end = line < 0 ? 0 : lines.get(line).length();
    }
    return Optional.of(element);
  }

  /** The last comma before the end that stands outside of a quoted string; or −1. */
  private static int commaBefore(String text, int end) {
    boolean quoted = false;
    for (int i = end - 1; i >= 0; i--) {
      char c = text.charAt(i);
      if (c == '"' && !(quoted && isEscaped(text, i))) {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isEscaped(String text, int quote) {
    int backslashes = 0;
    for (int i = quote - 1; i >= 0 && text.charAt(i) == '\\'; i--) {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }
}

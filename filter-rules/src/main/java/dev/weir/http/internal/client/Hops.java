package dev.weir.http.internal.client;

import java.util.List;
import java.util.Optional;

/**
 * The elements of a forwarding header, in the order in which proxies may be trusted. This is from
 * the last line to the first, and in each line from right to left.
 *
 * <p>Reading backwards makes this safe. A trusted proxy wrote the rightmost element, and only the
 * text to its right delimits it. A client that leaves a quoted string open spoils only its own
 * elements. The walk is also lazy. It stops at the first hop that is not trusted, so it reads no
 * more of a long header than necessary.
 */
public final class Hops {

  private final List<String> lines;
  private int line;
  private int end;

  public Hops(List<String> lines) {
    this.lines = lines;
    this.line = lines.size() - 1;
    this.end = line < 0 ? 0 : lines.get(line).length();
  }

  /**
   * Returns the next element to the left, without surrounding blanks. Empty when there is none.
   * Empty elements are skipped (RFC 9110, 5.6.1).
   */
  public Optional<String> next() {
    while (line >= 0) {
      String text = lines.get(line);
      int comma = commaBefore(text, end);
      String element = text.substring(comma + 1, end).strip();
      if (comma >= 0) {
        end = comma;
      } else {
        line--;
        end = line < 0 ? 0 : lines.get(line).length();
      }
      if (!element.isEmpty()) {
        return Optional.of(element);
      }
    }
    return Optional.empty();
  }

  /** Returns the last comma before the end that is outside of a quoted string, or −1. */
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

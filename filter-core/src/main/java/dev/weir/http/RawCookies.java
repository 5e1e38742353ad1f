package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cookies of a request as it was sent. Some servers give an adapter only one cookie of each
 * name, and may interpret its value in their own way.
 */
public final class RawCookies {

  private RawCookies() {}

  /**
   * Returns the values of the cookies of this name, in order, without quotes. The value is empty
   * for a cookie that is a name alone.
   *
   * @param lines of the Cookie header
   */
  public static List<String> values(List<String> lines, String name) {
    List<String> values = new ArrayList<>();
    for (String line : lines) {
      for (String pair : line.split("[;,]", -1)) {
        int equals = pair.indexOf('=');
        int end = equals < 0 ? pair.length() : equals;
        if (pair.substring(0, end).strip().equals(name)) {
          values.add(unquoted(pair.substring(Math.min(end + 1, pair.length())).strip()));
        }
      }
    }
    return values;
  }

  /**
   * Returns the values that a server gives. If more were sent, those are appended.
   *
   * @param given the values of the cookies of this name, as the server reads them
   * @param lines of the Cookie header
   */
  public static List<String> values(List<String> given, List<String> lines, String name) {
    List<String> sent = values(lines, name);
    return isMore(sent, given) ? Stream.concat(given.stream(), sent.stream()).toList() : given;
  }

  /**
   * Returns whether one of those values is only another interpretation of a sent value by the
   * server. See {@link RequestView}.
   */
  public static boolean areReadInAnotherWay(List<String> given, List<String> lines, String name) {
    List<String> sent = values(lines, name);
    return isMore(sent, given) && !sent.containsAll(given);
  }

  private static boolean isMore(List<String> sent, List<String> given) {
    return sent.size() > Math.max(1, given.size());
  }

  private static String unquoted(String value) {
    boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }
}

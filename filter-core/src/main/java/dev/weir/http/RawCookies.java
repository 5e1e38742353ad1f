package dev.weir.http;

import java.util.ArrayList;
import java.util.List;

/** The cookies of a request as it was sent, where an adapter is given but one of each name. */
public final class RawCookies {

  private RawCookies() {}

  /**
   * The values of the cookies of this name, in order, without quotes; an empty one where a cookie
   * is a name alone.
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

  private static String unquoted(String value) {
    boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }
}

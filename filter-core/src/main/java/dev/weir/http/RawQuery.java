package dev.weir.http;

import dev.weir.http.internal.match.PercentEncoding;
import java.util.ArrayList;
import java.util.List;

/**
 * A query as seen by an application that reads parameters from a servlet container. Containers
 * differ for a pair with broken escapes. Tomcat leaves the pair out, as this class does. Jetty
 * returns nothing of the whole query. So no application receives a value that this class does not
 * see.
 */
public final class RawQuery {

  private RawQuery() {}

  /** Returns the values of a parameter, in order, decoded. */
  public static List<String> values(String query, String name) {
    List<String> values = new ArrayList<>();
    for (int from = 0; from < query.length(); ) {
      int and = query.indexOf('&', from);
      int end = and < 0 ? query.length() : and;
      addValue(query.substring(from, end), name, values);
      from = end + 1;
    }
    return values;
  }

  private static void addValue(String pair, String name, List<String> values) {
    int equals = pair.indexOf('=');
    String parameter = equals < 0 ? pair : pair.substring(0, equals);
    String value = equals < 0 ? "" : pair.substring(equals + 1);
    try {
      if (decoded(parameter).equals(name)) {
        values.add(decoded(value));
      }
    } catch (IllegalArgumentException brokenEscape) {
      return;
    }
  }

  private static String decoded(String text) {
    return PercentEncoding.decoded(text.replace('+', ' '));
  }
}

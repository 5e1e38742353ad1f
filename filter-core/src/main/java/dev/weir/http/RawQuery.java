package dev.weir.http;

import java.util.ArrayList;
import java.util.List;

/**
 * What a query is to an application that asks a servlet container for parameters. Those differ over
 * a pair whose escapes are broken: Tomcat leaves the pair out, as this does, and Jetty tells
 * nothing of the whole query. So nobody is given a value that this does not see.
 */
public final class RawQuery {

  private RawQuery() {}

  /** The values of a parameter, in order, decoded. */
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

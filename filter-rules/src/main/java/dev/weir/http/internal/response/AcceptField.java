package dev.weir.http.internal.response;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client accepts, RFC 9110 §12.5.1. Of the ranges with a type, the most specific one holds.
 * Parameters other than the weight are ignored, and so are elements that cannot be read.
 */
public record AcceptField(List<Range> ranges) {

  private static final Pattern ELEMENT = Pattern.compile("\\s*([^\\s;/]+/[^\\s;/]+)\\s*(;.*)?");
  private static final Pattern WEIGHT =
      Pattern.compile("(?i).*;\\s*q=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?)\\s*(?:;.*)?");
  private static final Pattern ANY_WEIGHT = Pattern.compile("(?i).*;\\s*q\\s*=.*");

  /** The media types of a range, and how much the client prefers them, from 0 to 1. */
  public record Range(String types, double weight) {}

  /** How well one type is accepted. */
  private record Match(double weight, int specificity) {

    boolean isBetterThan(Match other) {
      return specificity > other.specificity
          || (specificity == other.specificity && weight > other.weight);
    }
  }

  /** Reads all lines of the field. */
  public static AcceptField of(List<String> lines) {
    List<Range> ranges = new ArrayList<>();
    for (String element : String.join(",", lines).split(",", -1)) {
      Matcher range = ELEMENT.matcher(element);
      if (range.matches()) {
        String parameters = range.group(2) == null ? "" : range.group(2);
        Matcher weight = WEIGHT.matcher(parameters);
        boolean isWeighted = weight.matches();
        if (isWeighted || !ANY_WEIGHT.matcher(parameters).matches()) {
          ranges.add(
              new Range(
                  range.group(1).toLowerCase(Locale.ROOT),
                  isWeighted ? Double.parseDouble(weight.group(1)) : 1));
        }
      }
    }
    return new AcceptField(ranges);
  }

  /** Returns whether the client prefers HTML to JSON. */
  boolean prefersHtml() {
    return prefers(List.of("text/html"), List.of("application/json", "application/problem+json"));
  }

  /**
   * Returns whether the client prefers one of these types to all others. Of equal weights, the more
   * specific one counts: a browser names HTML, and a program accepts anything.
   */
  public boolean prefers(List<String> types, List<String> others) {
    Match these = best(types);
    Match those = best(others);
    boolean isNamed = these.specificity > those.specificity;
    return these.weight > those.weight
        || (these.weight > 0 && these.weight == those.weight && isNamed);
  }

  private Match best(List<String> types) {
    Match best = new Match(0, -1);
    for (String type : types) {
      Match next = match(type);
      best = next.isBetterThan(best) ? next : best;
    }
    return best;
  }

  private Match match(String type) {
    List<String> candidates = List.of("*/*", type.substring(0, type.indexOf('/') + 1) + "*", type);
    Match best = new Match(0, -1);
    for (Range range : ranges) {
      Match next = new Match(range.weight, candidates.indexOf(range.types));
      if (next.specificity >= 0 && next.isBetterThan(best)) {
        best = next;
      }
    }
    return best;
  }
}

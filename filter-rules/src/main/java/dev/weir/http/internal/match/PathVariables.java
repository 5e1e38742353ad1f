package dev.weir.http.internal.match;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The variables of path patterns, such as {@code id} in {@code /orders/{id}}. One before {@code **}
 * is found from the left, and one after it from the right. Between two of them, it could be any
 * segment.
 */
public final class PathVariables {

  private static final String ANY_DEPTH = "**";

  private PathVariables() {}

  /** Returns whether the pattern has this variable, in a place that is known. */
  public static boolean has(String name, RequestPattern pattern) {
    List<String> all = segments(pattern.template()).toList();
    int position = all.indexOf("{" + name + "}");
    return position >= 0
        && (isBeforeAnyDepth(position, all) || position > all.lastIndexOf(ANY_DEPTH));
  }

  /**
   * Returns each value of the variable in those interpretations of a path that match a pattern, in
   * any case. A value has no parameters, because not all software has them in a segment.
   *
   * @param name of a variable that each pattern {@link #has}
   * @param paths as {@link PathCandidates} returns them
   * @throws IllegalArgumentException when a path has more segments than any real path
   */
  public static List<String> values(
      String name, List<RequestPattern> patterns, List<String> paths) {
    Set<String> values = new LinkedHashSet<>();
    for (String path : paths) {
      List<String> segments = segments(path).toList();
      PathCandidates.requireReal(segments.size());
      List<String> folded = segments.stream().map(RequestPattern::folded).toList();
      for (RequestPattern pattern : patterns) {
        if (pattern.inLowerCase().coversPath(folded)) {
          String segment = segments.get(index(name, pattern, segments.size()));
          values.add(PathCandidates.withoutParameters(segment));
        }
      }
    }
    return List.copyOf(values);
  }

  /** Returns where the variable is in a path with so many segments that matches. */
  private static int index(String name, RequestPattern pattern, int segments) {
    List<String> all = segments(pattern.template()).toList();
    int position = all.indexOf("{" + name + "}");
    return isBeforeAnyDepth(position, all) ? position : segments - (all.size() - position);
  }

  private static boolean isBeforeAnyDepth(int position, List<String> all) {
    return !all.contains(ANY_DEPTH) || position < all.indexOf(ANY_DEPTH);
  }

  private static Stream<String> segments(String path) {
    return Arrays.stream(path.split("/", -1)).filter(segment -> !segment.isEmpty());
  }
}

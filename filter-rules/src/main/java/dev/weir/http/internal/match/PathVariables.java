package dev.weir.http.internal.match;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
   * Returns each value of the variable in these interpretations of a path, of those that match the
   * pattern. A value has no parameters, because not all software has them in a segment.
   *
   * @param name of a variable that the pattern {@link #has}
   * @param paths as {@link PathCandidates} returns them
   */
  public static List<String> values(String name, RequestPattern pattern, List<String> paths) {
    List<String> all = segments(pattern.template()).toList();
    int position = all.indexOf("{" + name + "}");
    int fromRight = isBeforeAnyDepth(position, all) ? 0 : all.size() - position;
    return paths.stream()
        .flatMap(path -> segment(position, fromRight, pattern, path).stream())
        .map(PathCandidates::withoutParameters)
        .distinct()
        .toList();
  }

  private static boolean isBeforeAnyDepth(int position, List<String> all) {
    return !all.contains(ANY_DEPTH) || position < all.indexOf(ANY_DEPTH);
  }

  /** Returns the segment of the path in this place, if the path matches in any case. */
  private static Optional<String> segment(
      int position, int fromRight, RequestPattern pattern, String path) {
    List<String> segments = segments(path).toList();
    List<String> folded = segments.stream().map(it -> it.toLowerCase(Locale.ROOT)).toList();
    return pattern.inLowerCase().coversPath(folded)
        ? Optional.of(segments.get(fromRight == 0 ? position : segments.size() - fromRight))
        : Optional.empty();
  }

  private static Stream<String> segments(String path) {
    return Arrays.stream(path.split("/", -1)).filter(segment -> !segment.isEmpty());
  }
}

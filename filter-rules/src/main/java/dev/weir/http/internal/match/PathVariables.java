package dev.weir.http.internal.match;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The variables of path patterns, such as {@code id} in {@code /orders/{id}}. */
public final class PathVariables {

  private PathVariables() {}

  /** Returns whether the pattern has this variable. */
  public static boolean has(String name, RequestPattern pattern) {
    return position(name, pattern) >= 0;
  }

  /**
   * Returns each value of the variable in these interpretations of a path, of those that match the
   * pattern. A value has no parameters, because not all software has them in a segment.
   *
   * @param paths as {@link PathCandidates} returns them
   */
  public static List<String> values(String name, RequestPattern pattern, List<String> paths) {
    int position = position(name, pattern);
    return position < 0
        ? List.of()
        : paths.stream()
            .flatMap(path -> segment(position, pattern, path).stream())
            .map(PathCandidates::withoutParameters)
            .distinct()
            .toList();
  }

  private static int position(String name, RequestPattern pattern) {
    return segments(pattern.template()).toList().indexOf("{" + name + "}");
  }

  /**
   * Returns the segment of the path there, if the path matches. Case and a slash at its end do not
   * matter.
   */
  private static Optional<String> segment(int position, RequestPattern pattern, String path) {
    List<String> segments = segments(path).toList();
    List<String> expected = pattern.segments();
    if (segments.size() < expected.size()
        || (segments.size() > expected.size() && !pattern.rest())) {
      return Optional.empty();
    }
    for (int i = 0; i < expected.size(); i++) {
      String literal = expected.get(i);
      if (!literal.equals(RequestPattern.ANY) && !literal.equalsIgnoreCase(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(segments.get(position));
  }

  private static Stream<String> segments(String path) {
    return Arrays.stream(path.split("/", -1)).filter(segment -> !segment.isEmpty());
  }
}

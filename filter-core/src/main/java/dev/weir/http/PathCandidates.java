package dev.weir.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ways in which a path may be understood by what stands behind us.
 *
 * <p>A path that was decoded once is plain when it has no empty segment, no {@code .} or {@code
 * ..}, no {@code ;parameter}, no backslash and no {@code %xx} left: then everybody reads it alike.
 * Otherwise containers, frameworks and applications differ. {@code /static/..;/login} is {@code
 * /login} to one and a file below {@code /static} to the next, and whichever single reading we
 * chose, a request could be told apart from it and pass its rule by.
 *
 * <p>So we choose none: a rule applies when <em>any</em> reading makes it apply, its exceptions
 * counted for that reading alone. The readings are all combinations of what can differ: empty
 * segments always collapse; parameters are part of a segment or are dropped; dots are names or are
 * resolved, never above the root; a {@code %xx} left over, or a backslash, is text or means the
 * character it stands for. The last does not decode again for anyone: it only asks what would match
 * if somebody did.
 *
 * <p>An application that answers none of these readings loses nothing but a permit of a client that
 * sends strange paths.
 */
final class PathCandidates {

  /** No application has paths so deep, and to read a deep one in every way is work. */
  private static final int MOST_SEGMENTS = 256;

  private PathCandidates() {}

  /**
   * Those of a request's {@link RequestView#path} and {@link RequestView#otherPaths} together.
   *
   * @throws IllegalArgumentException as {@link #of(String)} and these do
   */
  static Collection<String> of(RequestView request) {
    String path = request.path();
    List<String> others = request.otherPaths();
    if (areAll(path, others)) {
      return of(path);
    }
    Set<String> readings = new LinkedHashSet<>(of(path));
    others.forEach(other -> readings.addAll(of(other)));
    return readings;
  }

  private static boolean areAll(String path, List<String> others) {
    for (String other : others) {
      if (!other.equals(path)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Canonical paths, each once; at least one, and exactly one for a plain path.
   *
   * @throws IllegalArgumentException when the path is not plain and has more segments than anybody
   *     means; it could be any path
   */
  static List<String> of(String path) {
    if (isPlain(path)) {
      return List.of(path);
    }
    String text = withoutResidue(path);
    if (text.chars().filter(c -> c == '/').count() > MOST_SEGMENTS) {
      throw new IllegalArgumentException("more than " + MOST_SEGMENTS + " segments");
    }
    Set<String> readings = new LinkedHashSet<>();
    addReadings(path, readings);
    addReadings(text, readings);
    return List.copyOf(readings);
  }

  private static void addReadings(String path, Set<String> readings) {
    String bare = withoutParameters(path);
    readings.add(resolved(bare));
    readings.add(collapsed(bare));
    readings.add(collapsed(path));
  }

  /** Whether the path can be read in one way only. */
  static boolean isPlain(String path) {
    if (path.isEmpty() || path.charAt(0) != '/') {
      return false;
    }
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == ';' || c == '\\' || c == '%' || (c == '/' && startsOddSegment(path, i + 1))) {
        return false;
      }
    }
    return true;
  }

  /** Whether an empty segment that is not the last, or a dot segment, starts here. */
  private static boolean startsOddSegment(String path, int from) {
    if (from == path.length()) {
      return false;
    }
    return switch (path.charAt(from)) {
      case '/' -> true;
      case '.' -> {
        int end = from + 1;
        if (end < path.length() && path.charAt(end) == '.') {
          end++;
        }
        yield end == path.length() || path.charAt(end) == '/';
      }
      default -> false;
    };
  }

  /** Without {@code ;} and what follows it in each segment. */
  static String withoutParameters(String path) {
    if (path.indexOf(';') < 0) {
      return path;
    }
    StringBuilder bare = new StringBuilder(path.length());
    boolean inParameters = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      inParameters = c == ';' || (inParameters && c != '/');
      if (!inParameters) {
        bare.append(c);
      }
    }
    return bare.toString();
  }

  /** Without empty segments, but with a slash at the end where there was one. */
  static String collapsed(String path) {
    return joined(segments(path), path.endsWith("/"));
  }

  /** Without empty segments and with dot segments resolved, never above the root. */
  static String resolved(String path) {
    List<String> kept = new ArrayList<>();
    boolean endsInside = false;
    for (String segment : segments(path)) {
      endsInside = true;
      if (segment.equals("..")) {
        endsInside = false;
        if (!kept.isEmpty()) {
          kept.remove(kept.size() - 1);
        }
      } else if (segment.equals(".")) {
        endsInside = false;
      } else {
        kept.add(segment);
      }
    }
    return joined(kept, !endsInside || path.endsWith("/"));
  }

  /** With each {@code %xx} of ASCII, and each backslash, as the character it may come to mean. */
  private static String withoutResidue(String path) {
    StringBuilder text = new StringBuilder(path.length());
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      int decoded = c == '%' ? asciiAt(path, i + 1) : -1;
      if (decoded >= 0) {
        c = (char) decoded;
        i += 2;
      }
      text.append(c == '\\' ? '/' : c);
    }
    return text.toString();
  }

  private static int asciiAt(String path, int from) {
    if (from + 2 > path.length()) {
      return -1;
    }
    int high = Character.digit(path.charAt(from), 16);
    int low = Character.digit(path.charAt(from + 1), 16);
    return high < 0 || high > 7 || low < 0 ? -1 : high * 16 + low;
  }

  private static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    int from = 0;
    while (from < path.length()) {
      int slash = path.indexOf('/', from);
      int end = slash < 0 ? path.length() : slash;
      if (end > from) {
        segments.add(path.substring(from, end));
      }
      from = end + 1;
    }
    return segments;
  }

  private static String joined(List<String> segments, boolean slashAtEnd) {
    if (segments.isEmpty()) {
      return "/";
    }
    String path = "/" + String.join("/", segments);
    return slashAtEnd ? path + "/" : path;
  }
}

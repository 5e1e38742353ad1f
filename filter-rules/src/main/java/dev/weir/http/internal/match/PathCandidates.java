package dev.weir.http.internal.match;

import dev.weir.http.RequestView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The candidate paths of a request: the ways in which other software may interpret its path.
 *
 * <p>A path that was decoded once may be plain. A plain path has no empty segment, no {@code .} or
 * {@code ..}, no {@code ;parameter}, no backslash and no {@code %xx} left. All software interprets
 * a plain path alike. For other paths, containers, frameworks and applications differ. For one of
 * them {@code /static/..;/login} is {@code /login}. For another one it is a file below {@code
 * /static}. If we chose a single interpretation, a client could send a path that the application
 * interprets differently. Such a request would bypass its rule.
 *
 * <p>So we choose none. A rule applies if it applies to <em>any</em> interpretation. Its exceptions
 * count for that interpretation alone. The interpretations are all combinations of what can differ.
 * Empty segments always collapse. Parameters are part of a segment or are dropped. Dots are names
 * or are resolved, never above the root. A {@code %xx} that is left, or a backslash, is text or
 * means the character that it encodes. The last case does not decode the path again for the
 * application. It only checks which rules would match if the application decoded it again.
 *
 * <p>Some applications serve none of these paths. There, a client that sends strange paths loses
 * only a permit.
 */
public final class PathCandidates {

  /**
   * The most segments of a path that is not plain. No application has deeper paths, and each
   * interpretation of a deep path takes time.
   */
  private static final int MOST_SEGMENTS = 256;

  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
  private static final Pattern SLASHES = Pattern.compile("/+");

  private PathCandidates() {}

  /**
   * Returns the candidates of a request's {@link RequestView#path} and {@link
   * RequestView#otherPaths} together.
   *
   * @throws IllegalArgumentException as {@link #of(String)} and these do
   */
  public static List<String> of(RequestView request) {
    String path = request.path();
    List<String> others = request.otherPaths();
    if (Collections.frequency(others, path) == others.size()) {
      return of(path);
    }
    Set<String> readings = new LinkedHashSet<>(of(path));
    others.forEach(other -> readings.addAll(of(other)));
    return List.copyOf(readings);
  }

  /**
   * Returns canonical paths, each once. There is at least one, and exactly one for a plain path.
   *
   * @throws IllegalArgumentException when the path is not plain and has more segments than any real
   *     path; it could be any path
   */
  static List<String> of(String path) {
    if (isPlain(path)) {
      return List.of(path);
    }
    String text = withoutResidue(path);
    requireReal(text.chars().filter(c -> c == '/').count());
    Set<String> readings = new LinkedHashSet<>();
    for (String reading : List.of(path, text)) {
      String bare = withoutParameters(reading);
      readings.add(resolved(bare));
      readings.add(collapsed(bare));
      readings.add(collapsed(reading));
    }
    return List.copyOf(readings);
  }

  /**
   * @throws IllegalArgumentException when no real path has so many segments
   */
  static void requireReal(long segments) {
    if (segments > MOST_SEGMENTS) {
      throw new IllegalArgumentException("more than " + MOST_SEGMENTS + " segments");
    }
  }

  /** Returns whether the path has only one interpretation. */
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

  /** Returns whether an empty segment that is not the last, or a dot segment, starts here. */
  private static boolean startsOddSegment(String path, int from) {
    int end = from; // of at most two dots
    while (end < path.length() && end < from + 2 && path.charAt(end) == '.') {
      end++;
    }
    return from < path.length() && (end == path.length() || path.charAt(end) == '/');
  }

  /** Returns the path without {@code ;} and what follows it in each segment. */
  static String withoutParameters(String path) {
    return PARAMETERS.matcher(path).replaceAll("");
  }

  /** Returns the path without empty segments. A slash at its end stays. */
  static String collapsed(String path) {
    return SLASHES.matcher("/" + path).replaceAll("/");
  }

  /**
   * Returns the path without empty segments and with dot segments resolved, never above the root.
   */
  public static String resolved(String path) {
    List<String> kept = new ArrayList<>();
    boolean endsInName = false;
    for (String segment : collapsed(path).substring(1).split("/", -1)) {
      endsInName = !segment.equals(".") && !segment.equals("..");
      if (endsInName) {
        kept.add(segment);
      } else if (segment.equals("..") && !kept.isEmpty()) {
        kept.remove(kept.size() - 1);
      }
    }
    boolean isFolder = !endsInName || path.endsWith("/");
    return collapsed(String.join("/", kept) + (isFolder ? "/" : ""));
  }

  /** Returns the path with each {@code %xx} of ASCII decoded, and each backslash as a slash. */
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
}

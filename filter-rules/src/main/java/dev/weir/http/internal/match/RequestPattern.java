package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher;
import dev.weir.http.RequestMatcher.MatchOptions;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One pattern of a {@link RequestMatcher}. Immutable.
 *
 * @param text as it was written
 * @param methods those it is bound to, with HEAD wherever GET is; empty for any
 * @param host lower case; empty for any, with a leading {@code *.} for all hosts below one
 * @param segments literals, {@link #ANY} for {@code *} and {@code {name}}, {@link #ANY_DEPTH}, and
 *     {@link #ANY} with an extension for the last segment that ends so
 * @param trailingSlash whether its path ends in a slash
 * @param template its path alone, as it was written
 */
public record RequestPattern(
    String text,
    Set<String> methods,
    String host,
    List<String> segments,
    boolean trailingSlash,
    String template) {

  /** The placeholder for any one segment. No literal contains a slash. */
  public static final String ANY = "/*";

  /** The placeholder for any number of segments, none too. Two never follow each other. */
  public static final String ANY_DEPTH = "/**";

  private static final MatchOptions IN_ANY_CASE = new MatchOptions(true, true);

  /** Returns whether its last segment is this one, even if the pattern has a rest. */
  public boolean endsIn(String segment) {
    int last = segments.size() - (rest() ? 2 : 1);
    return last >= 0 && segments.get(last).equals(segment);
  }

  /** Returns whether it ends in {@code **}. */
  public boolean rest() {
    return !segments.isEmpty() && segments.get(segments.size() - 1).equals(ANY_DEPTH);
  }

  /**
   * Returns whether this matches every request that the other matches. Case and trailing slashes
   * are ignored.
   */
  public boolean covers(RequestPattern other) {
    return (methods.isEmpty() || (!other.methods.isEmpty() && methods.containsAll(other.methods)))
        && HostIndex.accepts(host, other.host)
        && coversPath(other.segments);
  }

  /** Returns whether both may match the same request. */
  public boolean meets(RequestPattern other) {
    return (methods.isEmpty()
            || other.methods.isEmpty()
            || !Collections.disjoint(methods, other.methods))
        && (HostIndex.accepts(host, other.host) || HostIndex.accepts(other.host, host))
        && meetsPath(other);
  }

  /**
   * Returns one pattern for each of its methods. Returns only itself when it matches any method.
   */
  public Stream<RequestPattern> eachMethod() {
    return methods.isEmpty()
        ? Stream.of(this)
        : methods.stream().map(method -> with(Set.of(method), segments));
  }

  /** Returns the pattern as the index folds it, for comparison when case does not matter. */
  public RequestPattern inLowerCase() {
    return with(methods, segments.stream().map(RequestPattern::folded).toList());
  }

  static String folded(String segment) {
    return PathTrie.folded(segment, IN_ANY_CASE);
  }

  private RequestPattern with(Set<String> methods, List<String> segments) {
    return new RequestPattern(text, methods, host, segments, trailingSlash, template);
  }

  /** Follows both patterns together. A place is how far each of them has got. */
  private boolean meetsPath(RequestPattern other) {
    List<String> theirs = other.segments;
    boolean[][] reached = new boolean[segments.size() + 1][theirs.size() + 1];
    reached[0][0] = true;
    for (int i = 0; i <= segments.size(); i++) {
      for (int j = 0; j <= theirs.size(); j++) {
        if (!reached[i][j]) {
          continue;
        }
        boolean hasMine = i < segments.size();
        boolean hasTheirs = j < theirs.size();
        // one at any depth goes on with nothing, or with the other's segment
        boolean isAnyDepth =
            (hasMine && segments.get(i).equals(ANY_DEPTH))
                || (hasTheirs && theirs.get(j).equals(ANY_DEPTH));
        if (hasMine) {
          reached[i + 1][j] |= isAnyDepth;
        }
        if (hasTheirs) {
          reached[i][j + 1] |= isAnyDepth;
        }
        if (hasMine && hasTheirs) {
          reached[i + 1][j + 1] |=
              covers(segments.get(i), theirs.get(j)) || covers(theirs.get(j), segments.get(i));
        }
      }
    }
    return reached[segments.size()][theirs.size()];
  }

  /** Returns whether this matches every path that these segments match. */
  boolean coversPath(List<String> theirs) {
    boolean[] covered = new boolean[theirs.size() + 1]; // so many of the other's segments
    covered[0] = true;
    for (String segment : segments) {
      boolean[] next = new boolean[covered.length];
      boolean isAny = false;
      for (int i = 0; i < covered.length; i++) {
        isAny |= covered[i];
        next[i] |= isAny && segment.equals(ANY_DEPTH);
        if (covered[i] && i < theirs.size() && covers(segment, theirs.get(i))) {
          next[i + 1] = true;
        }
      }
      covered = next;
    }
    return covered[theirs.size()];
  }

  /** Returns whether a segment that matches the narrow one matches the wide one too. */
  private static boolean covers(String wide, String narrow) {
    if (wide.equals(ANY_DEPTH) || narrow.equals(ANY_DEPTH)) {
      return false;
    }
    boolean hasExtension = wide.startsWith(ANY) && !narrow.startsWith(ANY);
    return wide.equals(ANY)
        || wide.equals(narrow)
        || (hasExtension && narrow.endsWith(wide.substring(ANY.length())));
  }
}

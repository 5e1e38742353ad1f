package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One pattern of a {@link RequestMatcher}. Immutable.
 *
 * @param text as it was written
 * @param methods those it is bound to, with HEAD wherever GET is; empty for any
 * @param host lower case; empty for any, with a leading {@code *.} for all hosts below one
 * @param segments literals, and {@link #ANY} for {@code *} and {@code {name}}
 * @param rest whether it ends in {@code **}
 * @param trailingSlash whether its path ends in a slash
 * @param template its path alone, as it was written
 */
public record RequestPattern(
    String text,
    Set<String> methods,
    String host,
    List<String> segments,
    boolean rest,
    boolean trailingSlash,
    String template) {

  /** The placeholder for any one segment. No literal contains an asterisk. */
  public static final String ANY = "*";

  /** Returns whether its last segment is this one, even if the pattern has a rest. */
  public boolean endsIn(String segment) {
    return !segments.isEmpty() && segments.get(segments.size() - 1).equals(segment);
  }

  /**
   * Returns whether this matches every request that the other matches. Case and trailing slashes
   * are ignored.
   */
  public boolean covers(RequestPattern other) {
    return (methods.isEmpty() || (!other.methods.isEmpty() && methods.containsAll(other.methods)))
        && HostIndex.accepts(host, other.host)
        && coversPath(other);
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

  /** Returns the pattern in lower case, for comparison when case does not matter. */
  public RequestPattern inLowerCase() {
    return with(
        methods, segments.stream().map(segment -> segment.toLowerCase(Locale.ROOT)).toList());
  }

  private RequestPattern with(Set<String> methods, List<String> segments) {
    return new RequestPattern(text, methods, host, segments, rest, trailingSlash, template);
  }

  private boolean meetsPath(RequestPattern other) {
    int common = Math.min(segments.size(), other.segments.size());
    for (int i = 0; i < common; i++) {
      String mine = segments.get(i);
      String theirs = other.segments.get(i);
      if (!mine.equals(ANY) && !theirs.equals(ANY) && !mine.equals(theirs)) {
        return false;
      }
    }
    return (segments.size() <= common || other.rest) && (other.segments.size() <= common || rest);
  }

  private boolean coversPath(RequestPattern other) {
    int depth = segments.size();
    boolean deepEnough = rest ? other.segments.size() >= depth : other.segments.size() == depth;
    if (!deepEnough || (other.rest && !rest)) {
      return false;
    }
    for (int i = 0; i < depth; i++) {
      if (!segments.get(i).equals(ANY) && !segments.get(i).equals(other.segments.get(i))) {
        return false;
      }
    }
    return true;
  }
}

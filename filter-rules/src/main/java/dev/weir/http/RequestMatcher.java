package dev.weir.http;

import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import dev.weir.internal.Expect;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A description of the requests to which a rule applies. Immutable.
 *
 * <p>A matcher only describes. {@link RequestLimiter} compiles the matchers of all its rules into
 * one index, so that matching does not grow with the number of rules.
 */
public final class RequestMatcher {

  private final List<RequestPattern> match;
  private final List<RequestPattern> except;
  private final MatchOptions options;

  private RequestMatcher(
      List<RequestPattern> match, List<RequestPattern> except, MatchOptions options) {
    this.match = match;
    this.except = except;
    this.options = options;
  }

  /**
   * Reads patterns of this form:
   *
   * <pre>
   * pattern = [method {"," method} " "] ["//" host] path
   * path    = {"/" segment} ["/" | "/**"]
   * segment = literal | "*" | "{" name "}"          the last two match any one segment
   * host    = ["*."] name                           with "*.", all hosts below it
   * </pre>
   *
   * <p>{@code /a/**} also matches {@code /a}. {@code GET} includes {@code HEAD}. Paths are written
   * decoded. They are compared with the canonical form of {@linkplain RequestView#path the
   * request's path}. If a request's path has several interpretations, the matcher applies when it
   * applies to any of them. The client chooses the host that it sends. If a server accepts any host
   * name, a client can use another name. Give such paths a rule without a host too.
   *
   * @param match the matcher applies when one of these matches; at least one
   * @param except and none of these does
   * @throws IllegalArgumentException when there is nothing to match, a pattern is malformed, or the
   *     exceptions leave nothing to match. The message names the field, the pattern, and what was
   *     expected
   */
  public static RequestMatcher parse(
      List<String> match, List<String> except, MatchOptions options) {
    if (match.isEmpty()) {
      throw Expect.failure("match", match, "at least one pattern, such as '/**'");
    }
    RequestMatcher matcher =
        new RequestMatcher(
            patterns("match", match),
            patterns("except", except),
            Objects.requireNonNull(options, "options"));
    if (matcher.match.stream().allMatch(matcher::isExcepted)) {
      throw Expect.failure(
          "except",
          "'" + join(matcher.except) + "'",
          "patterns that leave something of match '" + join(matcher.match) + "'");
    }
    return matcher;
  }

  /**
   * Returns a matcher of one or more patterns without exceptions, compared by {@link
   * MatchOptions#DEFAULT}.
   */
  public static RequestMatcher of(String... match) {
    return parse(List.of(match), List.of(), MatchOptions.DEFAULT);
  }

  /** Returns its patterns, of which one must match. */
  public List<RequestPattern> match() {
    return match;
  }

  /** Returns its exceptions, of which none may match. */
  public List<RequestPattern> except() {
    return except;
  }

  /** Returns how paths are compared. */
  public MatchOptions options() {
    return options;
  }

  /**
   * Returns whether exceptions cover all of this pattern. Each of its methods may be covered by
   * another exception.
   */
  private boolean isExcepted(RequestPattern pattern) {
    return pattern.eachMethod().allMatch(part -> except.stream().anyMatch(it -> covers(it, part)));
  }

  private boolean covers(RequestPattern hole, RequestPattern pattern) {
    boolean endsAlike =
        options.ignoreTrailingSlash()
            || hole.rest()
            || hole.trailingSlash() == pattern.trailingSlash();
    return endsAlike
        && (options.ignoreCase()
            ? hole.inLowerCase().covers(pattern.inLowerCase())
            : hole.covers(pattern));
  }

  /** Returns the patterns as they were written. */
  @Override
  public String toString() {
    String matched = join(match);
    return except.isEmpty() ? matched : matched + " except " + join(except);
  }

  private static List<RequestPattern> patterns(String field, List<String> texts) {
    return texts.stream().map(text -> PatternParser.parse(field, text)).toList();
  }

  private static String join(List<RequestPattern> patterns) {
    Stream<String> texts = patterns.stream().map(RequestPattern::text);
    return String.join(", ", texts.toList());
  }

  /**
   * The tolerance with which paths are compared. It must be as tolerant as the routing of the
   * application. Otherwise a request that the application accepts could bypass its rule.
   *
   * @param ignoreCase whether {@code /LOGIN} matches {@code /login}
   * @param ignoreTrailingSlash whether {@code /login/} matches {@code /login}
   */
  public record MatchOptions(boolean ignoreCase, boolean ignoreTrailingSlash) {

    /** The default options: case matters, a trailing slash does not. */
    public static final MatchOptions DEFAULT = new MatchOptions(false, true);
  }
}

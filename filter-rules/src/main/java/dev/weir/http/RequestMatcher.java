package dev.weir.http;

import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import dev.weir.internal.Expect;
import java.util.List;
import java.util.Objects;

/**
 * A description of the requests to which a rule applies. Immutable.
 *
 * <p>A matcher only describes. {@link RuleLimiter} compiles the matchers of all its rules into one
 * index, so that matching does not grow with the number of rules.
 */
public final class RequestMatcher {

  private final List<String> match;
  private final List<String> except;
  private final MatchOptions options;

  private RequestMatcher(List<String> match, List<String> except, MatchOptions options) {
    this.match = List.copyOf(match);
    this.except = List.copyOf(except);
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * Reads patterns of this form:
   *
   * <pre>
   * pattern = [method {"," method} " "] ["//" host] path
   * path    = {"/" segment} ["/"] | "*." extension  a path that ends so, as in servlet mappings
   * segment = literal | "*" | "{" name "}"          the last two match any one segment
   *         | "**"                                  any number of segments, none too
   *         | "*." extension                        a last segment that ends so
   * host    = ["*."] name                           with "*.", all hosts below it
   * </pre>
   *
   * <p>{@code /a/**} also matches {@code /a}. {@code GET} includes {@code HEAD}. A literal is
   * written decoded, or with {@code %xx} in UTF-8 for what cannot be written: {@code /my%20docs}.
   * Paths are compared with the canonical form of {@linkplain RequestView#path the request's path}.
   * If a request's path has several interpretations, the matcher applies when it applies to any of
   * them. The client chooses the host that it sends. If a server accepts any host name, a client
   * can use another name. Give such paths a rule without a host too.
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
    RequestMatcher matcher = new RequestMatcher(match, except, options);
    List<RequestPattern> excepted = PatternParser.except(matcher);
    if (PatternParser.match(matcher).stream()
        .flatMap(RequestPattern::eachMethod) // each may have an exception of its own
        .allMatch(part -> excepted.stream().anyMatch(it -> matcher.covers(it, part)))) {
      throw Expect.failure(
          "except",
          "'" + String.join(", ", except) + "'",
          "patterns that leave something of match '" + String.join(", ", match) + "'");
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

  /** Returns its patterns as they were written, of which one must match. */
  public List<String> match() {
    return match;
  }

  /** Returns its exceptions as they were written, of which none may match. */
  public List<String> except() {
    return except;
  }

  /** Returns how paths are compared. */
  public MatchOptions options() {
    return options;
  }

  private boolean covers(RequestPattern gap, RequestPattern pattern) {
    boolean endsAlike =
        options.ignoreTrailingSlash()
            || gap.rest()
            || gap.trailingSlash() == pattern.trailingSlash();
    return endsAlike
        && (options.ignoreCase()
            ? gap.inLowerCase().covers(pattern.inLowerCase())
            : gap.covers(pattern));
  }

  /** Returns the patterns as they were written. */
  @Override
  public String toString() {
    String matched = String.join(", ", match);
    return except.isEmpty() ? matched : matched + " except " + String.join(", ", except);
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

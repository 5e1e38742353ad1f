package dev.weir.http;

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

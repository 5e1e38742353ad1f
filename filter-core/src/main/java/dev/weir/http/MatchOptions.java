package dev.weir.http;

/**
 * How tolerantly paths are compared; as tolerantly as the application behind routes them, or a
 * request that the application accepts could pass its rule by.
 *
 * @param ignoreCase whether {@code /LOGIN} matches {@code /login}
 * @param ignoreTrailingSlash whether {@code /login/} matches {@code /login}
 */
public record MatchOptions(boolean ignoreCase, boolean ignoreTrailingSlash) {

  /** Case matters, a trailing slash does not. */
  public static final MatchOptions DEFAULT = new MatchOptions(false, true);
}

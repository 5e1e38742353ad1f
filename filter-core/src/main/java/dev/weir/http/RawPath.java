package dev.weir.http;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a path is to a framework that routes by the URI as it was sent: nothing of it is resolved,
 * and what containers know of welcome files it does not.
 */
public final class RawPath {

  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
  private static final Pattern ENCODED_SLASH = Pattern.compile("%2[Ff]");

  private RawPath() {}

  /**
   * Without parameters, and decoded once but for slashes, which in a URI are part of a segment:
   * {@code a%2Fb} is one that {@code {id}} matches. Parameters go first, for they may hold slashes
   * as well.
   *
   * @throws IllegalArgumentException when an escape is broken
   */
  public static String decoded(String path) {
    if (path.indexOf('%') < 0 && path.indexOf(';') < 0) {
      return path;
    }
    String bare = PARAMETERS.matcher(path).replaceAll("");
    return Arrays.stream(ENCODED_SLASH.split(bare, -1))
        .map(PercentEncoding::decoded)
        .collect(Collectors.joining("%2F"));
  }
}

package dev.weir.http;

import dev.weir.http.internal.match.PercentEncoding;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A path as seen by a framework that routes by the URI as it was sent. Nothing of the URI is
 * resolved. The framework does not know the container's welcome files.
 */
public final class RawPath {

  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
  private static final Pattern ENCODED_SLASH = Pattern.compile("%2[Ff]");

  private RawPath() {}

  /**
   * Returns the path without parameters, decoded once except for slashes. In a URI, an encoded
   * slash is part of a segment: {@code a%2Fb} is one segment, which {@code {id}} matches.
   * Parameters are removed first, because they may contain slashes too.
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

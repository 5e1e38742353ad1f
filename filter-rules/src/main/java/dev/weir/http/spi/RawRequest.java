package dev.weir.http.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.http.RequestView;
import dev.weir.http.internal.client.Addresses;
import dev.weir.http.internal.match.HostName;
import dev.weir.http.internal.match.PathCandidates;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer, the host, the path, the query and the cookies of a request as they were sent. An
 * adapter needs this where its server resolves, drops or joins what the application reads in
 * another way.
 */
public final class RawRequest {

  /** The one container that is known to report the peers of Unix sockets as such. */
  private static final String JETTY = "org.eclipse.jetty.";

  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
  private static final Pattern ENCODED_SLASH = Pattern.compile("%2[Ff]");

  private static final Pattern TRAILING_SLASH = Pattern.compile("/$");

  /** A reference, in the words of RFC 3986, appendix B. */
  private static final Pattern REFERENCE =
      Pattern.compile("(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#.*)?");

  /** A percent sign without two hexadecimal digits. {@code URLDecoder} would accept {@code %+1}. */
  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private RawRequest() {}

  /**
   * Returns the peer's address as a servlet container has reported it. What could mean the peer of
   * a Unix socket is an address in Jetty alone. Others report an empty text of a peer that they do
   * not know, or whatever a forwarding header says. Nobody may be trusted for that.
   *
   * @param made by the container, such as a request or a context
   */
  public static Optional<String> peerAddress(@Nullable String reported, Supplier<?> made) {
    return Optional.ofNullable(reported)
        .filter(
            text ->
                !Addresses.isUnixPeer(text) || made.get().getClass().getName().startsWith(JETTY));
  }

  /**
   * Returns the {@code Host} field of a request for this authority. HTTP/2 and HTTP/3 have no such
   * field, and servers do not make one. The default port of the scheme is left out, so that one
   * site has one value over all protocols.
   */
  public static String hostField(String scheme, String authority) {
    String defaultPort = scheme.equalsIgnoreCase("https") ? ":443" : ":80";
    return authority.endsWith(defaultPort)
        ? authority.substring(0, authority.length() - defaultPort.length())
        : authority;
  }

  /** Returns the authority of this host and port. An IPv6 address gets its brackets. */
  public static String authority(String host, int port) {
    return (HostName.isBareIpv6(host) ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * Returns whether a request over this protocol must declare its body by a field. See {@link
   * RequestView}.
   *
   * @param protocol as servlets return it
   */
  public static boolean declaresBody(@Nullable String protocol) {
    return protocol != null && protocol.startsWith("HTTP/1.");
  }

  /**
   * Returns the path as seen by a framework that routes by the URI as it was sent. It has no
   * parameters, and is decoded once except for slashes. In a URI, an encoded slash is part of a
   * segment: {@code a%2Fb} is one segment, which {@code {id}} matches. Parameters are removed
   * first, because they may contain slashes too. Nothing else is resolved.
   *
   * @throws IllegalArgumentException when an escape is broken
   */
  public static String path(String path) {
    if (path.indexOf('%') < 0 && path.indexOf(';') < 0) {
      return path;
    }
    String bare = PARAMETERS.matcher(path).replaceAll("");
    return Arrays.stream(ENCODED_SLASH.split(bare, -1))
        .map(segment -> decoded(segment.replace("+", "%2B")))
        .collect(Collectors.joining("%2F"));
  }

  /**
   * Returns the names of the place to which a redirection leads. Within the application, that is a
   * path and perhaps a query, as in {@code /login?error}. Every place also has one with its host,
   * as in {@code //host/shop/login?error}. The path has no parameters and no dot segments, and is
   * decoded once. The query is as it was sent. Ports are ignored, because proxies change them.
   *
   * <p>A request with a slash at the end is served as one without. So a relative redirection also
   * has the names that it has from there.
   *
   * @param location the field, which may be relative
   * @param url of the request, without its query
   * @param context the path of the application, as it was sent; empty for the root
   * @return none when there is no such place, as for another scheme or a broken escape
   */
  public static List<String> redirect(String location, String url, String context) {
    Matcher target = REFERENCE.matcher(location.strip());
    Matcher base = REFERENCE.matcher(url);
    if (!target.matches() || !base.matches()) {
      return List.of();
    }
    String scheme = target.group(1);
    String authority = target.group(2);
    boolean isHttp = scheme == null || scheme.toLowerCase(Locale.ROOT).matches("https?");
    if (!isHttp || (scheme != null && authority == null)) {
      return List.of();
    }
    try {
      String from = authority == null ? PathCandidates.resolved(path(base.group(3))) : "/";
      String path = path(target.group(3));
      String own = context.isEmpty() ? "" : PathCandidates.resolved(path(context));
      String ownHost = host(base.group(2));
      String host = authority == null ? ownHost : host(authority);
      String query = target.group(4) == null ? "" : "?" + target.group(4);
      Set<String> names = new LinkedHashSet<>();
      for (String start : List.of(from, TRAILING_SLASH.matcher(from).replaceFirst(""))) {
        String place = joined(start, path).replace("?", "%3F");
        if (host.equals(ownHost) && (place + "/").startsWith(own + "/")) {
          String within = place.substring(own.length());
          names.add((within.isEmpty() ? "/" : within) + query);
        }
        names.add("//" + host + place + query);
      }
      return List.copyOf(names);
    } catch (IllegalArgumentException brokenEscape) {
      return List.of();
    }
  }

  private static String joined(String from, String path) {
    if (path.isEmpty()) {
      return from;
    }
    String folder = from.substring(0, from.lastIndexOf('/') + 1);
    return PathCandidates.resolved(path.startsWith("/") ? path : folder + path);
  }

  private static String host(@Nullable String authority) {
    String named = authority == null ? "" : authority;
    return HostName.canonical(named.substring(named.lastIndexOf('@') + 1));
  }

  /**
   * Returns the values of a query parameter, in order, decoded. Containers differ for a pair with
   * broken escapes. Tomcat leaves the pair out, as this method does. Jetty returns nothing of the
   * whole query. So no application receives from its container a value that is not among these.
   * Jersey keeps a broken escape as text, with its percent sign.
   */
  public static List<String> queries(String query, String name) {
    List<String> values = new ArrayList<>();
    for (String pair : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      try {
        if (decoded(parts[0]).equals(name)) {
          values.add(parts.length < 2 ? "" : decoded(parts[1]));
        }
      } catch (IllegalArgumentException brokenEscape) {
        // the pair is left out
      }
    }
    return values;
  }

  /** Returns the values of all query parameters by name, in order, decoded as for one of them. */
  public static Map<String, List<String>> queries(String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      try {
        String name = decoded(parts[0]);
        String value = parts.length < 2 ? "" : decoded(parts[1]);
        if (!pair.isEmpty()) {
          values.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
        }
      } catch (IllegalArgumentException brokenEscape) {
        // the pair is left out
      }
    }
    return values;
  }

  /**
   * Returns the text with its escapes decoded as UTF-8, and each plus sign as a blank.
   *
   * @throws IllegalArgumentException without the text, which may be a secret, when an escape is
   *     broken
   */
  private static String decoded(String text) {
    if (BROKEN_ESCAPE.matcher(text).find()) {
      throw new IllegalArgumentException("an escape is not '%' and two hexadecimal digits");
    }
    return URLDecoder.decode(text, UTF_8);
  }

  /**
   * Returns the values of the cookies of this name, in order, without quotes. The value is empty
   * for a cookie that is a name alone.
   *
   * @param lines of the Cookie header
   */
  public static List<String> cookies(List<String> lines, String name) {
    List<String> values = new ArrayList<>();
    for (String line : lines) {
      for (String pair : line.split("[;,]", -1)) {
        int equals = pair.indexOf('=');
        int end = equals < 0 ? pair.length() : equals;
        if (pair.substring(0, end).strip().equals(name)) {
          String value = pair.substring(Math.min(end + 1, pair.length())).strip();
          boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
          values.add(isQuoted ? value.substring(1, value.length() - 1) : value);
        }
      }
    }
    return values;
  }

  /**
   * Returns the values that a server gives. If any other value was sent, all that were sent are
   * appended. A server may give one cookie of each name, drop malformed cookies, or cut a value
   * off. The application may read the header by itself.
   *
   * @param given the values of the cookies of this name, as the server reads them
   * @param lines of the Cookie header
   */
  public static List<String> cookies(List<String> given, List<String> lines, String name) {
    List<String> sent = cookies(lines, name);
    return given.containsAll(sent) ? given : Stream.concat(given.stream(), sent.stream()).toList();
  }

  /**
   * Returns whether one of those values is only another interpretation of a sent value by the
   * server. See {@link RequestView}.
   */
  public static boolean readsCookieInAnotherWay(
      List<String> given, List<String> lines, String name) {
    List<String> sent = cookies(lines, name);
    return !given.containsAll(sent) && !sent.containsAll(given);
  }
}

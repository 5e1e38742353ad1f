package dev.weir.redis;

import dev.weir.internal.Expect;
import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Redaction;
import dev.weir.redis.RedisUri.Kind;
import dev.weir.redis.internal.client.Host;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of a Redis URI. Its error messages never show a password, wherever it is in a broken URI.
 * It masks all text before the last {@code @}, and all text after a colon that does not start a
 * port. It also masks all text after a question mark or number sign.
 */
final class RedisUriParser {

  private static final String FORM =
      "redis://host:port/database, redis-sentinel://host:port,.../master or"
          + " redis-cluster://host:port,..., with rediss for TLS";
  private static final int LONGEST = 4_096;
  private static final int LARGEST_DATABASE = 65_535;

  private static final Pattern NOT_A_PORT =
      Pattern.compile("(\\[[^\\]]*])|:(?!\\d{1,5}(?:[,/]|$)).*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,253}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9._-]+)?");

  private final String text;

  RedisUriParser(String text) {
    this.text = text;
  }

  RedisUri parse() {
    if (text.isBlank()) {
      throw Expect.failure("redis.uri", "'" + Redaction.printable(text) + "'", FORM);
    }
    if (text.length() > LONGEST) {
      throw Expect.failure(
          "redis.uri", text.length() + " characters", "at most " + LONGEST + " characters");
    }
    if (text.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
      throw broken("no blanks or control characters");
    }
    int colon = text.indexOf("://");
    if (colon < 0) {
      throw broken(FORM);
    }
    String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
    boolean tls = scheme.startsWith("rediss");
    Kind kind = kind(tls ? "redis" + scheme.substring(6) : scheme);
    return parse(kind, tls, rest(colon + 3, kind));
  }

  private RedisUri parse(Kind kind, boolean tls, String rest) {
    int at = rest.lastIndexOf('@');
    String credentials = at < 0 ? "" : rest.substring(0, at);
    String place = rest.substring(at + 1);
    int slash = place.indexOf('/');
    List<Host> hosts = hosts(slash < 0 ? place : place.substring(0, slash), kind);
    String path = slash < 0 ? "" : place.substring(slash + 1);
    return new RedisUri(
        kind,
        tls,
        hosts,
        kind == Kind.SENTINEL ? master(path) : "",
        at < 0 ? null : user(credentials),
        at < 0 ? null : password(credentials),
        database(kind, kind == Kind.SENTINEL ? afterMaster(path) : path));
  }

  private Kind kind(String scheme) {
    for (Kind kind : Kind.values()) {
      if (kind.scheme.equals(scheme)) {
        return kind;
      }
    }
    throw broken(FORM);
  }

  private String rest(int start, Kind kind) {
    String rest = text.substring(start);
    int lastAt = rest.lastIndexOf('@');
    if (rest.indexOf('/') >= 0 && rest.indexOf('/') < lastAt) {
      throw broken("a password with / written as %2F");
    }
    int comma = rest.lastIndexOf(',', lastAt);
    if (comma > rest.indexOf('@') || (comma >= 0 && kind != Kind.STANDALONE)) {
      throw broken(
          "user:password@ once, before the first host; in a password @ is written as %40, a comma as"
              + " %2C");
    }
    if (rest.indexOf('?') >= 0 || rest.indexOf('#') >= 0) {
      throw broken("no ? and no #; in a password they are written as %3F and %23");
    }
    return rest;
  }

  private @Nullable String user(String credentials) {
    int colon = credentials.indexOf(':');
    if (colon < 0 || colon == credentials.length() - 1) {
      throw broken("user:password@ or :password@ before the host");
    }
    return colon == 0 ? null : decoded(credentials.substring(0, colon));
  }

  private String password(String credentials) {
    return decoded(credentials.substring(credentials.indexOf(':') + 1));
  }

  private String decoded(String encoded) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < encoded.length(); ) {
      if (encoded.charAt(i) == '%') {
        bytes.write(hexadecimal(encoded, i));
        i += 3;
      } else {
        int end = encoded.offsetByCodePoints(i, 1);
        bytes.writeBytes(encoded.substring(i, end).getBytes(StandardCharsets.UTF_8));
        i = end;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      throw broken("user and password percent-encoded as UTF-8");
    }
  }

  private int hexadecimal(String encoded, int percent) {
    int high =
        percent + 1 < encoded.length() ? Character.digit(encoded.charAt(percent + 1), 16) : -1;
    int low =
        percent + 2 < encoded.length() ? Character.digit(encoded.charAt(percent + 2), 16) : -1;
    if (high < 0 || low < 0) {
      throw broken("two hexadecimal digits after every % of user and password");
    }
    return high * 16 + low;
  }

  private List<Host> hosts(String list, Kind kind) {
    List<Host> hosts = new ArrayList<>();
    for (String host : list.split(",", -1)) {
      hosts.add(host(host, kind.port));
    }
    if (kind == Kind.STANDALONE && hosts.size() > 1) {
      throw broken("one host; several only for redis-sentinel:// and redis-cluster://");
    }
    return hosts;
  }

  private Host host(String host, int defaultPort) {
    if (host.startsWith("[")) {
      int close = host.indexOf(']');
      if (close < 0 || !IPV6.matcher(host.substring(1, close)).matches()) {
        throw broken("an IPv6 address in brackets, as in [::1]:6379");
      }
      return new Host(host.substring(1, close), port(host.substring(close + 1), defaultPort));
    }
    int colon = host.indexOf(':');
    String name = colon < 0 ? host : host.substring(0, colon);
    if (colon >= 0 && host.indexOf(':', colon + 1) >= 0) {
      throw broken("one port for each host, and IPv6 addresses in brackets");
    }
    if (!NAME.matcher(name).matches()) {
      throw broken("a host name or address");
    }
    return new Host(name, port(colon < 0 ? "" : host.substring(colon), defaultPort));
  }

  private int port(String port, int defaultPort) {
    if (port.isEmpty()) {
      return defaultPort;
    }
    int number = port.charAt(0) == ':' ? number(port.substring(1), 65_535) : -1;
    if (number < 1) {
      throw broken("a port from 1 to 65535");
    }
    return number;
  }

  private String master(String path) {
    String master = path.indexOf('/') < 0 ? path : path.substring(0, path.indexOf('/'));
    if (!NAME.matcher(master).matches()) {
      throw broken("the name of the master after the sentinels, as in /mymaster");
    }
    return master;
  }

  private static String afterMaster(String path) {
    return path.indexOf('/') < 0 ? "" : path.substring(path.indexOf('/') + 1);
  }

  private int database(Kind kind, String path) {
    if (path.isEmpty()) {
      return 0;
    }
    int number = number(path, LARGEST_DATABASE);
    if (number < 0) {
      throw broken("a database number from 0 to " + LARGEST_DATABASE);
    }
    if (kind == Kind.CLUSTER && number > 0) {
      throw broken("no database: a cluster has only database 0");
    }
    return number;
  }

  /** Returns the number, or −1 if it is none or too large. */
  private static int number(String digits, int largest) {
    if (digits.isEmpty()
        || digits.length() > 5
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    int number = Integer.parseInt(digits);
    return number <= largest ? number : -1;
  }

  /** An expectation may show the form of credentials, so it is not masked. */
  private IllegalArgumentException broken(String expectation) {
    return new InvalidValueException("redis.uri", masked(), expectation, Optional.empty());
  }

  private static String quoted(String bracketed) {
    return Matcher.quoteReplacement(bracketed);
  }

  private String masked() {
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon + 3);
    String rest = text.substring(scheme.length());
    int at = rest.lastIndexOf('@');
    String place = rest.substring(at + 1).replaceFirst("[?#].*", "?***");
    String shown =
        NOT_A_PORT.matcher(place).replaceAll(m -> m.group(1) == null ? ":***" : quoted(m.group(1)));
    return Redaction.printable(scheme + (at < 0 ? "" : "***@") + shown);
  }
}

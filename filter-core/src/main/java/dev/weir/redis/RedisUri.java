package dev.weir.redis;

import dev.weir.internal.Expect;
import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Redaction;
import dev.weir.redis.internal.client.Host;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A parsed Redis URI; {@link RedisOptions} documents its forms. Synonyms of a scheme are equal.
 *
 * @param hosts one host; several for sentinels and cluster nodes
 * @param master the name of the primary at the sentinels; empty without sentinels
 */
record RedisUri(
    Kind kind,
    boolean tls,
    List<Host> hosts,
    String master,
    @Nullable String user,
    @Nullable String password,
    int database) {

  /** The kind of deployment that the URI names. */
  enum Kind {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  private static final String FORM =
      "redis://host:port/database, redis-sentinel://host:port,.../master or"
          + " redis-cluster://host:port,..., with rediss for TLS";
  private static final int LONGEST = 4_096;
  private static final int LARGEST_DATABASE = 65_535;

  private static final Pattern SCHEME =
      Pattern.compile("(redis|valkey)(?<tls>s?)([-+](?<kind>sentinel|cluster))?");
  private static final Pattern NOT_A_PORT =
      Pattern.compile("(\\[[^\\]]*])|:(?!\\d{1,5}(?:[,/]|$)).*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,253}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9._-]+)?");

  RedisUri {
    hosts = List.copyOf(hosts);
  }

  /**
   * Parses a URI.
   *
   * @throws InvalidValueException when it is invalid; the message never shows a password
   */
  static RedisUri parse(String text) {
    if (text.isBlank()) {
      throw Expect.failure("redis.uri", "'" + Redaction.printable(text) + "'", FORM);
    }
    if (text.length() > LONGEST) {
      throw Expect.failure(
          "redis.uri", text.length() + " characters", "at most " + LONGEST + " characters");
    }
    try {
      return parsed(text);
    } catch (InvalidValueException e) {
      throw new InvalidValueException("redis.uri", masked(text), e.expected(), Optional.empty());
    }
  }

  /** Returns the URI without credentials. */
  @Override
  public String toString() {
    String suffix = kind == Kind.STANDALONE ? "" : "-" + kind.name().toLowerCase(Locale.ROOT);
    String all = hosts.stream().map(Host::toString).collect(Collectors.joining(","));
    String path = (master.isEmpty() ? "" : "/" + master) + (database == 0 ? "" : "/" + database);
    return "redis" + (tls ? "s" : "") + suffix + "://" + all + path;
  }

  /**
   * Masks all text before the last {@code @}, and all text after a colon that does not start a
   * port, a question mark or a number sign: a password may be anywhere in a broken URI.
   */
  private static String masked(String text) {
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon + 3);
    String rest = text.substring(scheme.length());
    int at = rest.lastIndexOf('@');
    String address = rest.substring(at + 1).replaceFirst("[?#].*", "?***");
    String shown =
        NOT_A_PORT
            .matcher(address)
            .replaceAll(m -> m.group(1) == null ? ":***" : Matcher.quoteReplacement(m.group(1)));
    return Redaction.printable(scheme + (at < 0 ? "" : "***@") + withoutDatabase(scheme, shown));
  }

  /** Masks what follows the hosts, unless it is a number: a password may be in its place. */
  private static String withoutDatabase(String scheme, String address) {
    String[] parts = address.split("/", -1);
    boolean hasMaster = scheme.contains("-sentinel") || scheme.contains("+sentinel");
    for (int i = 1; i < parts.length; i++) {
      boolean isMaster = hasMaster && i == 1 && parts.length <= 3;
      parts[i] = isMaster || parts[i].matches("[0-9]{0,5}") ? parts[i] : "***";
    }
    return String.join("/", parts);
  }

  /** Returns the failure of a text that is masked later. An expectation is shown as it is. */
  private static InvalidValueException broken(String expectation) {
    return new InvalidValueException("redis.uri", "", expectation, Optional.empty());
  }

  private static RedisUri parsed(String text) {
    if (text.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
      throw broken("no blanks or control characters");
    }
    int colon = text.indexOf("://");
    if (colon < 0) {
      throw broken(FORM);
    }
    Matcher scheme = SCHEME.matcher(text.substring(0, colon).toLowerCase(Locale.ROOT));
    if (!scheme.matches()) {
      throw broken(FORM);
    }
    Kind kind =
        switch (String.valueOf(scheme.group("kind"))) {
          case "sentinel" -> Kind.SENTINEL;
          case "cluster" -> Kind.CLUSTER;
          default -> Kind.STANDALONE;
        };
    return parsed(kind, !scheme.group("tls").isEmpty(), text.substring(colon + 3));
  }

  private static RedisUri parsed(Kind kind, boolean tls, String rest) {
    int at = rest.lastIndexOf('@');
    requirePlainCredentials(kind, rest, at);
    String[] parts = rest.substring(at + 1).split("/", 2);
    List<Host> hosts = hosts(parts[0], kind);
    String path = parts.length < 2 ? "" : parts[1];
    String master = "";
    if (kind == Kind.SENTINEL) {
      String[] masterAndDatabase = path.split("/", 2);
      master = masterAndDatabase[0];
      path = masterAndDatabase.length < 2 ? "" : masterAndDatabase[1];
      if (!NAME.matcher(master).matches()) {
        throw broken("the name of the master after the sentinels, as in /mymaster");
      }
    }
    @Nullable String user = null;
    @Nullable String password = null;
    if (at >= 0) {
      int colon = rest.indexOf(':');
      if (colon < 0 || colon >= at - 1) {
        throw broken("user:password@ or :password@ before the host");
      }
      user = colon == 0 ? null : decoded(rest.substring(0, colon));
      password = decoded(rest.substring(colon + 1, at));
    }
    return new RedisUri(kind, tls, hosts, master, user, password, database(kind, path));
  }

  private static void requirePlainCredentials(Kind kind, String rest, int lastAt) {
    if (rest.indexOf('/') >= 0 && rest.indexOf('/') < lastAt) {
      throw broken("a password with / written as %2F");
    }
    int comma = rest.lastIndexOf(',', lastAt);
    if (comma > rest.indexOf('@') || (comma >= 0 && kind != Kind.STANDALONE)) {
      throw broken(
          "user:password@ once, before the first host; in a password @ is written as %40, a comma"
              + " as %2C");
    }
    if (rest.indexOf('?') >= 0 || rest.indexOf('#') >= 0) {
      throw broken("no ? and no #; in a password they are written as %3F and %23");
    }
  }

  /** Decodes as ISO 8859-1, with a character for each byte, to see whether the bytes are UTF-8. */
  private static String decoded(String encoded) {
    String bytes =
        new String(encoded.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1)
            .replace("+", "%2B");
    String decoded;
    try {
      decoded = URLDecoder.decode(bytes, StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      throw broken("two hexadecimal digits after every % of user and password");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      throw broken("user and password percent-encoded as UTF-8");
    }
  }

  private static List<Host> hosts(String list, Kind kind) {
    int defaultPort = kind == Kind.SENTINEL ? 26_379 : 6_379;
    List<Host> hosts = Stream.of(list.split(",", -1)).map(host -> host(host, defaultPort)).toList();
    if (kind == Kind.STANDALONE && hosts.size() > 1) {
      throw broken("one host; several only for redis-sentinel:// and redis-cluster://");
    }
    return hosts;
  }

  /**
   * Parses a host, with a port or without one.
   *
   * @throws InvalidValueException when it is invalid; the message does not show it
   */
  static Host host(String host, int defaultPort) {
    if (host.startsWith("[")) {
      int close = host.indexOf(']');
      if (close < 0 || !IPV6.matcher(host.substring(1, close)).matches()) {
        throw broken("an IPv6 address in brackets, as in [::1]:6379");
      }
      return new Host(host.substring(1, close), port(host.substring(close + 1), defaultPort));
    }
    int colon = host.indexOf(':');
    if (colon != host.lastIndexOf(':')) {
      throw broken("one port for each host, and IPv6 addresses in brackets");
    }
    String name = colon < 0 ? host : host.substring(0, colon);
    if (!NAME.matcher(name).matches()) {
      throw broken("a host name or address");
    }
    return new Host(name, port(host.substring(name.length()), defaultPort));
  }

  private static int port(String port, int defaultPort) {
    if (port.isEmpty()) {
      return defaultPort;
    }
    int number = port.charAt(0) == ':' ? number(port.substring(1), 65_535) : -1;
    if (number < 1) {
      throw broken("a port from 1 to 65535");
    }
    return number;
  }

  private static int database(Kind kind, String path) {
    int number = path.isEmpty() ? 0 : number(path, LARGEST_DATABASE);
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
    int number = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : -1;
    return number <= largest ? number : -1;
  }
}

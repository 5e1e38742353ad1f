package dev.weir.http.internal.client;

import dev.weir.internal.Expect;
import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import inet.ipaddr.ipv6.IPv6Address;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A parser for addresses: literals in their usual form and nothing else. No name is ever looked up.
 * {@code 127.1}, {@code 0177.0.0.1} and the empty string are not addresses.
 */
public final class Addresses {

  /** {@code [} and {@code ]}, 45 characters of mixed IPv6, a zone, a colon and a port. */
  private static final int LONGEST_NODE = 128;

  private static final Pattern LITERAL_TEXT = Pattern.compile("[0-9A-Fa-f:.]{1,45}");

  /** Nothing, a port of digits, or an obfuscated port (RFC 7239). */
  private static final Pattern PORT = Pattern.compile("(:([0-9]{1,5}|_.+))?", Pattern.DOTALL);

  private static final IPAddressStringParameters LITERAL = strict(false);
  private static final IPAddressStringParameters NETWORK = strict(true);

  private static final int GROUPS = 8;

  /** The key of all peers without an IP address. */
  public static final String NONE = "none";

  /** The word of nginx for the peer of a Unix socket in the headers that it writes. */
  public static final String UNIX_OF_NGINX = "unix:";

  private Addresses() {}

  /**
   * Reads a node as forwarding headers and containers write it. Examples: {@code 192.0.2.1}, {@code
   * 192.0.2.1:4711}, {@code 2001:db8::1}, {@code [2001:db8::1]:4711}, {@code fe80::1%eth0}. Eight
   * groups and a port are read without brackets too, as some proxies write them.
   */
  public static Optional<IPAddress> node(String text) {
    String node = text.strip();
    if (node.isEmpty() || node.length() > LONGEST_NODE) {
      return Optional.empty();
    }
    if (node.charAt(0) == '[') {
      int close = node.indexOf(']');
      boolean bracketed = close > node.indexOf(':') && node.indexOf(':') > 0;
      return bracketed && isPort(node.substring(close + 1))
          ? literal(withoutZone(node.substring(1, close)))
          : Optional.empty();
    }
    int colon = node.indexOf(':');
    if (colon >= 0 && colon == node.lastIndexOf(':')) {
      return isPort(node.substring(colon)) ? literal(node.substring(0, colon)) : Optional.empty();
    }
    int port = node.lastIndexOf(':');
    boolean isWithPort =
        node.chars().filter(c -> c == ':').count() == GROUPS
            && !node.contains("::")
            && isPort(node.substring(port));
    return literal(isWithPort ? node.substring(0, port) : withoutZone(node));
  }

  /**
   * Returns whether this is an IPv4 address in its canonical form. This is a fast check for the
   * common case.
   */
  public static boolean isPlainIpv4(String text) {
    int octets = 0;
    int value = -1;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? '.' : text.charAt(i);
      if (c == '.') {
        if (value < 0 || ++octets > 4) {
          return false;
        }
        value = -1;
      } else if (c < '0' || c > '9' || value == 0) {
        return false;
      } else {
        value = Math.max(value, 0) * 10 + (c - '0');
        if (value > 255) {
          return false;
        }
      }
    }
    return octets == 4;
  }

  /** Reads an address without port, brackets or zone. An IPv4 address in IPv6 form becomes IPv4. */
  static Optional<IPAddress> literal(String text) {
    if (!LITERAL_TEXT.matcher(text).matches()) {
      return Optional.empty();
    }
    IPAddress address = new IPAddressString(text, LITERAL).getAddress();
    if (address == null || !address.isIPv6()) {
      return Optional.ofNullable(address);
    }
    IPv6Address dressed = address.toIPv6();
    boolean isIpv4 = dressed.isIPv4Mapped() || dressed.isWellKnownIPv4Translatable();
    return Optional.of(isIpv4 ? dressed.getEmbeddedIPv4Address() : address);
  }

  /**
   * Reads a network in CIDR form, or one address.
   *
   * @param ratherThanAll what is expected instead of a network of all addresses
   * @throws IllegalArgumentException naming the field when it is not a network, has bits set beyond
   *     its prefix, or contains all addresses
   */
  public static IPAddress network(String field, String text, String ratherThanAll) {
    IPAddress network = new IPAddressString(text, NETWORK).getAddress();
    String[] parts = text.strip().split("/", 2);
    boolean hasPaddedPrefix = parts.length > 1 && parts[1].length() > 1 && parts[1].startsWith("0");
    if (network == null || text.indexOf('%') >= 0 || hasPaddedPrefix) {
      throw malformed(field, text, "a network such as 10.0.0.0/8, 2001:db8::/32 or 192.0.2.7");
    }
    if (network.isIPv6() && network.toIPv6().isIPv4Mapped()) {
      throw malformed(field, text, "the IPv4 network in its own form, such as 10.0.0.0/8");
    }
    Integer prefix = network.getNetworkPrefixLength();
    if (prefix == null) {
      return network;
    }
    if (prefix == 0) {
      throw malformed(field, text, ratherThanAll);
    }
    IPAddress block = network.toPrefixBlock();
    IPAddress written = new IPAddressString(parts[0], LITERAL).getAddress();
    if (!block.getLower().withoutPrefixLength().equals(written)) {
      throw malformed(field, text, block.toCanonicalString() + ", or the address alone");
    }
    return block;
  }

  /** Returns whether these networks together contain every IPv4 or every IPv6 address. */
  public static boolean containAll(List<IPAddress> networks) {
    IPAddress.DualIPv4Pv6Arrays merged =
        IPAddress.mergeToDualPrefixBlocks(networks.toArray(IPAddress[]::new));
    return Stream.<IPAddress[]>of(merged.addressesIPv4, merged.addressesIPv6)
        .flatMap(Stream::of)
        .anyMatch(block -> block.getPrefixLength() == 0);
  }

  private static String withoutZone(String text) {
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  private static boolean isPort(String rest) {
    return PORT.matcher(rest).matches();
  }

  private static IPAddressStringParameters strict(boolean withPrefix) {
    IPAddressStringParameters.Builder strict =
        new IPAddressStringParameters.Builder()
            .allowEmpty(false)
            .allowAll(false)
            .allowSingleSegment(false)
            .allowPrefix(withPrefix)
            .allowPrefixOnly(false)
            .allowMask(false)
            .allowWildcardedSeparator(false)
            .setRangeOptions(RangeParameters.NO_RANGE)
            .allow_inet_aton(false);
    strict.getIPv4AddressParametersBuilder().allowBinary(false).allowLeadingZeros(false);
    strict
        .getIPv6AddressParametersBuilder()
        .allowBase85(false)
        .allowBinary(false)
        .allowZone(false)
        .allow_mixed_inet_aton(false)
        .getEmbeddedIPv4AddressParametersBuilder()
        .allowBinary(false)
        .allowLeadingZeros(false);
    return strict.toParams();
  }

  private static IllegalArgumentException malformed(String field, String text, String expected) {
    return Expect.failure(field, "'" + text + "'", expected);
  }

  /**
   * Returns whether a container has written this for the peer of a Unix socket. Jetty writes the
   * path of the peer's own socket, which is empty as a rule. A peer that the container does not
   * know, as after the end of its connection, has no text at all and is not trusted.
   */
  public static boolean isUnixPeer(String text) {
    return text.isEmpty() || text.startsWith("/") || text.equals(UNIX_OF_NGINX);
  }
}

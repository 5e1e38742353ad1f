package dev.weir.http.internal.client;

import dev.weir.internal.Expect;
import inet.ipaddr.IPAddress;
import inet.ipaddr.ipv4.IPv4Address;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A prefix under which a translator writes IPv4 addresses as IPv6 ones (RFC 6052, 2.2). Immutable.
 *
 * <p>The IPv4 address follows the prefix. Its bits step over the octet 8, which is always zero:
 * with a prefix of 40 bits, three octets of it stand before that one, and the last behind. What
 * follows the IPv4 address is ignored.
 */
public final class Nat64 {

  private static final String FIELD = "nat64";
  private static final String FORM =
      "a NAT64 prefix of 32, 40, 48, 56, 64 or 96 bits, such as 2001:db8:64::/96";

  private static final List<String> LENGTHS = List.of("32", "40", "48", "56", "64", "96");
  private static final String WELL_KNOWN = "64:ff9b::/96";

  /** The octet that RFC 6052 reserves. */
  private static final int RESERVED = 8;

  private static final int IPV4_OCTETS = 4;

  private final byte[] prefix;
  private final String text;

  private Nat64(byte[] prefix, String text) {
    this.prefix = prefix;
    this.text = text;
  }

  /**
   * Reads a prefix.
   *
   * @throws IllegalArgumentException when it is none, or has bits set beyond its length
   */
  public static Nat64 parse(String text) {
    String[] parts = text.strip().split("/", -1);
    if (parts.length != 2 || !LENGTHS.contains(parts[1])) {
      throw malformed(text, FORM);
    }
    if (text.strip().equalsIgnoreCase(WELL_KNOWN)) {
      throw malformed(text, "a prefix of your provider: " + WELL_KNOWN + " always counts as IPv4");
    }
    IPAddress address =
        Addresses.literal(parts[0])
            .filter(it -> it.isIPv6() && !it.isZero())
            .orElseThrow(() -> malformed(text, FORM));
    byte[] octets = address.getBytes();
    int length = Integer.parseInt(parts[1]) / Byte.SIZE;
    for (int i = length; i < octets.length; i++) {
      if (octets[i] != 0) {
        String block = address.toPrefixBlock(length * Byte.SIZE).toCanonicalString();
        throw malformed(text, block + ", with nothing behind the prefix");
      }
    }
    if (octets[RESERVED] != 0) {
      throw malformed(text, "a prefix whose bits 64 to 71 are zero, as RFC 6052 has it");
    }
    return new Nat64(Arrays.copyOf(octets, length), parts[0] + "/" + parts[1]);
  }

  /** Returns the IPv4 address within this one, if it begins with the prefix. */
  public Optional<IPAddress> within(IPAddress address) {
    if (!contains(address)) {
      return Optional.empty();
    }
    byte[] octets = address.getBytes();
    byte[] ipv4 = new byte[IPV4_OCTETS];
    int at = prefix.length;
    for (int i = 0; i < IPV4_OCTETS; i++) {
      at += at == RESERVED ? 1 : 0;
      ipv4[i] = octets[at++];
    }
    return Optional.of(new IPv4Address(ipv4));
  }

  /** Returns whether the address begins with the prefix, and the octet is zero that must be. */
  private boolean contains(IPAddress address) {
    if (!address.isIPv6()) {
      return false;
    }
    byte[] octets = address.getBytes();
    return octets[RESERVED] == 0
        && Arrays.equals(octets, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Returns whether all addresses of this network begin with the prefix. */
  public boolean covers(IPAddress network) {
    Integer bits = network.getNetworkPrefixLength();
    return (bits == null || bits >= prefix.length * Byte.SIZE) && contains(network.getLower());
  }

  /** Returns whether some addresses begin with both prefixes. */
  public boolean overlaps(Nat64 other) {
    int common = Math.min(prefix.length, other.prefix.length);
    return Arrays.equals(prefix, 0, common, other.prefix, 0, common);
  }

  /** Returns the prefix as it was written. */
  @Override
  public String toString() {
    return text;
  }

  private static IllegalArgumentException malformed(String text, String expected) {
    return Expect.failure(FIELD, "'" + text + "'", expected);
  }
}

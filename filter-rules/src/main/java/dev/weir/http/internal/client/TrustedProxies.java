package dev.weir.http.internal.client;

import dev.weir.internal.Expect;
import dev.weir.internal.Spelling;
import inet.ipaddr.IPAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The networks of trusted proxies, each with the header in which its proxies name the client.
 * Immutable.
 *
 * <p>An address has one header: that of the most specific network that contains it.
 */
public final class TrustedProxies {

  /** No proxies. */
  public static final TrustedProxies NONE =
      new TrustedProxies(List.of(), Optional.empty(), Optional.empty());

  private static final String FIELD = "trusted-proxies";

  /** The word for peers that reach the server through a Unix socket. */
  private static final String UNIX = "unix";

  private static final String EVERYBODY =
      "your proxies' networks; when all are trusted, clients choose an address";

  private final List<Network> networks;
  private final Optional<Node> unixPeer;
  private final Optional<String> firstHeader;

  /** A network and the header of its proxies. */
  private record Network(IPAddress addresses, String header) {

    int bits() {
      Integer prefix = addresses.getNetworkPrefixLength();
      return prefix == null ? addresses.getBitCount() : prefix;
    }
  }

  private TrustedProxies(
      List<Network> networks, Optional<Node> unixPeer, Optional<String> firstHeader) {
    this.networks = networks;
    this.unixPeer = unixPeer;
    this.firstHeader = firstHeader;
  }

  /**
   * Returns these proxies and further ones.
   *
   * @param proxies single addresses, networks in CIDR form, or {@code unix}; at least one
   * @throws IllegalArgumentException when a network is malformed, or has another header already,
   *     all together contain every IPv4 or every IPv6 address, there is none, or the header is not
   *     a field name
   */
  public TrustedProxies and(List<String> proxies, String header) {
    if (proxies.isEmpty()) {
      throw Expect.failure(FIELD, proxies, "a network, or else '" + header + "' is never read");
    }
    if (!Tokens.isToken(header)) {
      throw Expect.failure("header", "'" + header + "'", "a field name such as X-Forwarded-For");
    }
    List<Network> all = new ArrayList<>(networks);
    Optional<Node> unix = unixPeer;
    for (String text : proxies) {
      if (isUnix(text)) {
        requireOneHeader(text, unix.flatMap(Node::header), header);
        unix = Optional.of(new Node(Addresses.NONE, Optional.of(header), Optional.empty()));
      } else {
        IPAddress addresses = Addresses.network(FIELD, text, EVERYBODY);
        Optional<String> known =
            all.stream()
                .filter(network -> network.addresses.equals(addresses))
                .map(Network::header)
                .findFirst();
        requireOneHeader(text, known, header);
        all.add(new Network(addresses, header));
      }
    }
    if (Addresses.containAll(all.stream().map(Network::addresses).toList())) {
      throw Expect.failure(FIELD, proxies, EVERYBODY);
    }
    return new TrustedProxies(List.copyOf(all), unix, firstHeader.or(() -> Optional.of(header)));
  }

  /**
   * Returns whether the text is the word for Unix sockets.
   *
   * @throws IllegalArgumentException when it nearly is
   */
  private static boolean isUnix(String text) {
    if (!text.equals(UNIX)
        && Spelling.nearest(text, List.of(UNIX, Addresses.UNIX_OF_NGINX)).isPresent()) {
      throw Expect.failure(
          FIELD,
          "'" + text + "'",
          "unix, which trusts the peers of Unix sockets",
          Optional.of(UNIX));
    }
    return text.equals(UNIX);
  }

  private static void requireOneHeader(String proxy, Optional<String> known, String header) {
    if (known.filter(other -> !other.equalsIgnoreCase(header)).isPresent()) {
      throw Expect.failure(
          FIELD,
          "'" + proxy + "'",
          "each network once, with '" + known.get() + "' or with '" + header + "'");
    }
  }

  public boolean isEmpty() {
    return networks.isEmpty() && unixPeer.isEmpty();
  }

  /** Returns the trusted peer of a Unix socket. */
  public Optional<Node> unixPeer() {
    return unixPeer;
  }

  /** Returns the header that was named first. Empty when there is none. */
  public Optional<String> firstHeader() {
    return firstHeader;
  }

  /** Returns the header in which this address names the client. Empty when it is not trusted. */
  public Optional<String> headerOf(IPAddress address) {
    return networks.stream()
        .filter(network -> network.addresses.contains(address))
        .max(Comparator.comparingInt(Network::bits))
        .map(Network::header);
  }

  /** Returns the proxies of each header, in the form of a configuration, the first header first. */
  public Map<String, List<String>> byHeader() {
    Map<String, List<String>> byHeader = new LinkedHashMap<>();
    firstHeader.ifPresent(header -> byHeader.put(header, new ArrayList<>()));
    unixPeer
        .flatMap(Node::header)
        .ifPresent(header -> byHeader.computeIfAbsent(header, it -> new ArrayList<>()).add(UNIX));
    for (Network network : networks) {
      byHeader
          .computeIfAbsent(network.header, it -> new ArrayList<>())
          .add(network.addresses.toCanonicalString());
    }
    return byHeader;
  }

  /** Returns the networks with more addresses than proxies have, unless these are all private. */
  public List<String> wide() {
    return networks.stream()
        .filter(network -> network.bits() < (network.addresses.isIPv4() ? 8 : 16))
        .filter(network -> !network.addresses.isLocal())
        .map(network -> network.addresses.toCanonicalString())
        .toList();
  }

  /** Returns whether one of the networks is under this prefix. */
  public boolean isAnyUnder(Nat64 prefix) {
    return networks.stream().anyMatch(network -> prefix.covers(network.addresses));
  }
}

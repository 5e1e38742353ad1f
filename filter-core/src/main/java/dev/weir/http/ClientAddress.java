package dev.weir.http;

import dev.weir.http.internal.client.Addresses;
import dev.weir.http.internal.client.ForwardedElement;
import dev.weir.http.internal.client.Hops;
import dev.weir.http.internal.client.Node;
import dev.weir.http.internal.client.Tokens;
import dev.weir.internal.Expect;
import inet.ipaddr.IPAddress;
import java.util.List;
import java.util.Optional;

/**
 * A resolver for the address of a client. Immutable and thread-safe.
 *
 * <p>Forwarding headers are a client's own claim unless a trusted proxy wrote them. So they are
 * ignored by default. With trusted proxies, one header is read, but only if the peer itself is
 * trusted. It is read from right to left over all its lines. The first address that is not a
 * trusted proxy's is the client's. If an element cannot be read, the walk ends at the last trusted
 * proxy. If all addresses are trusted, the leftmost is the client. Nothing is read once the
 * container has rewritten the peer's address itself.
 *
 * <p>An IPv4 address counts whole, an IPv6 address by its network prefix. An IPv4 address in IPv6
 * form counts as IPv4. Peers without an IP address, such as those of a Unix socket, are one client.
 * No name is ever looked up.
 *
 * <p>The peer address that the container reports is trusted. Spring's {@code ForwardedHeaderFilter}
 * and Jetty's {@code ForwardedRequestCustomizer} replace it with the leftmost value, which the
 * client wrote. With either in front of this, any client chooses its own address.
 */
public final class ClientAddress {

  private static final String FORWARDED = "Forwarded";
  private static final String EVERYBODY =
      "your proxies' networks; when all are trusted, clients choose an address";
  private static final int SHORTEST_PREFIX = 48;
  private static final int LONGEST_PREFIX = 128;
  private static final int DEFAULT_PREFIX = 64;

  /** The longest chain that is read. Honest chains are shorter. This bounds a forged one. */
  private static final int MOST_HOPS = 32;

  private static final ClientAddress PEER = new ClientAddress(List.of(), "", DEFAULT_PREFIX);

  private final List<IPAddress> trusted;
  private final String header;
  private final int ipv6Prefix;
  private final Node.Cache nodes;

  private ClientAddress(List<IPAddress> trusted, String header, int ipv6Prefix) {
    this.trusted = trusted;
    this.header = header;
    this.ipv6Prefix = ipv6Prefix;
    this.nodes = new Node.Cache(text -> Addresses.node(text).map(this::node));
  }

  /** Returns a resolver that uses the peer's address, and counts IPv6 addresses by /64. */
  public static ClientAddress ofPeer() {
    return PEER;
  }

  /**
   * Returns a resolver that reads this header behind trusted proxies.
   *
   * @param trustedProxies networks in CIDR form, or single addresses; at least one
   * @param header {@code Forwarded} is read as RFC 7239 defines it; {@code X-Forwarded-For}, {@code
   *     X-Real-IP} and any other as a list of addresses
   * @throws IllegalArgumentException when a network is malformed, all together contain every IPv4
   *     or every IPv6 address, there is none, or the header is not a field name
   */
  public static ClientAddress behind(List<String> trustedProxies, String header) {
    if (trustedProxies.isEmpty()) {
      throw Expect.failure(
          "trusted-proxies", trustedProxies, "a network, or else '" + header + "' is never read");
    }
    if (!Tokens.isToken(header)) {
      throw Expect.failure("header", "'" + header + "'", "a field name such as X-Forwarded-For");
    }
    List<IPAddress> networks =
        trustedProxies.stream()
            .map(text -> Addresses.network("trusted-proxies", text, EVERYBODY))
            .toList();
    if (Addresses.containAll(networks)) {
      throw Expect.failure("trusted-proxies", trustedProxies, EVERYBODY);
    }
    return new ClientAddress(networks, header, DEFAULT_PREFIX);
  }

  /**
   * Returns the same resolver with IPv6 addresses counted by this prefix.
   *
   * @param bits from 48 to 128
   * @throws IllegalArgumentException when it is out of its range
   */
  public ClientAddress withIpv6Prefix(int bits) {
    if (bits < SHORTEST_PREFIX || bits > LONGEST_PREFIX) {
      throw Expect.failure("ipv6-prefix", bits, "from 48 to 128");
    }
    return new ClientAddress(trusted, header, bits);
  }

  /**
   * Returns the key of the client's address. It is never empty, and never a text that a client made
   * up.
   */
  String keyOf(RequestView request) {
    Optional<String> peer = request.peerAddress();
    if (trusted.isEmpty() && peer.filter(Addresses::isPlainIpv4).isPresent()) {
      return peer.get();
    }
    return client(request).map(Node::key).orElse(Addresses.NONE);
  }

  /**
   * Returns the client's address itself, whole. Empty when there is none, or when a trusted proxy
   * has named the client in a form that cannot be read. In that case the proxy's address is not
   * used, because its network may have higher limits.
   */
  Optional<IPAddress> addressOf(RequestView request) {
    return client(request).flatMap(Node::address);
  }

  /** Returns whether any proxies are trusted. */
  public boolean trustsProxies() {
    return !trusted.isEmpty();
  }

  /**
   * Returns whether the request comes directly from a trusted proxy, so that the proxy vouches for
   * its fields. Returns false if the container has rewritten the peer's address, because the real
   * peer is then unknown.
   */
  boolean isPeerTrusted(RequestView request) {
    return !request.isPeerAddressRewritten()
        && request.peerAddress().flatMap(nodes::read).filter(Node::trusted).isPresent();
  }

  private Optional<Node> client(RequestView request) {
    return request
        .peerAddress()
        .flatMap(nodes::read)
        .map(peer -> request.isPeerAddressRewritten() ? peer : client(peer, request));
  }

  private Node client(Node peer, RequestView request) {
    if (!peer.trusted()) {
      return peer;
    }
    Hops hops = new Hops(request.headers(header));
    Node client = peer;
    for (int hop = 0; hop < MOST_HOPS && client.trusted(); hop++) {
      Optional<String> element = hops.next();
      if (element.isEmpty()) {
        return client;
      }
      Optional<Node> next = hop(element.get());
      if (next.isEmpty()) {
        return client.hidingAnother();
      }
      client = next.get();
    }
    return client;
  }

  private Optional<Node> hop(String element) {
    return header.equalsIgnoreCase(FORWARDED)
        ? ForwardedElement.node(element).flatMap(nodes::read)
        : nodes.read(element);
  }

  private Node node(IPAddress address) {
    return new Node(key(address), isTrusted(address), Optional.of(address));
  }

  private boolean isTrusted(IPAddress address) {
    for (IPAddress network : trusted) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  private String key(IPAddress address) {
    return address.isIPv6() && ipv6Prefix < LONGEST_PREFIX
        ? address.toPrefixBlock(ipv6Prefix).toCanonicalString()
        : address.toCanonicalString();
  }

  /** Returns the header and the number of trusted networks. */
  @Override
  public String toString() {
    return trusted.isEmpty() ? "peer" : header + " behind " + trusted.size() + " networks";
  }
}

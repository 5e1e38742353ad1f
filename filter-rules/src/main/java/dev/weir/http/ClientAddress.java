package dev.weir.http;

import dev.weir.http.internal.client.Addresses;
import dev.weir.http.internal.client.ForwardedElement;
import dev.weir.http.internal.client.Hops;
import dev.weir.http.internal.client.Node;
import dev.weir.http.internal.client.Tokens;
import dev.weir.internal.Expect;
import dev.weir.internal.Spelling;
import inet.ipaddr.IPAddress;
import java.util.ArrayList;
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
 * form counts as IPv4. Peers without an IP address, such as those of a Unix socket, are one client,
 * unless they are trusted as proxies. No name is ever looked up.
 *
 * <p>The peer address that the container reports is trusted. Spring's {@code ForwardedHeaderFilter}
 * and Jetty's {@code ForwardedRequestCustomizer} replace it with the leftmost value, which the
 * client wrote. With either in front of this, any client chooses its own address.
 */
public final class ClientAddress {

  /** The default number of bits of an IPv6 address that are one client. */
  public static final int DEFAULT_IPV6_PREFIX = 64;

  /** The word for peers that reach the server through a Unix socket. */
  private static final String UNIX = "unix";

  private static final Node UNIX_PEER = new Node(Addresses.NONE, true, Optional.empty());
  private static final Found NO_ADDRESS =
      new Found(Addresses.NONE, Basis.NO_ADDRESS, Optional.empty());

  private static final String FORWARDED = "Forwarded";
  private static final String EVERYBODY =
      "your proxies' networks; when all are trusted, clients choose an address";
  private static final int SHORTEST_PREFIX = 48;
  private static final int LONGEST_PREFIX = 128;

  /** The longest chain that is read. Honest chains are shorter. This bounds a forged one. */
  private static final int MOST_HOPS = 32;

  private static final int MOST_SHOWN = 8;

  private static final ClientAddress PEER =
      new ClientAddress(List.of(), false, "", DEFAULT_IPV6_PREFIX);

  private final List<IPAddress> trusted;
  private final boolean trustsUnixSockets;
  private final String header;
  private final int ipv6Prefix;
  private final Node.Cache nodes;

  /** What the key of a client is based on. */
  enum Basis {
    /** The peer, which is no trusted proxy. */
    PEER,
    /** The peer's address, which the container has rewritten. */
    REWRITTEN,
    /** The header of a trusted proxy. */
    HEADER,
    /** A trusted proxy that has sent no header. */
    NO_HEADER,
    /** The last trusted proxy, because its header names no client, or cannot be read. */
    UNREADABLE,
    /** Nothing: the peer has no address, and is not trusted. */
    NO_ADDRESS
  }

  /**
   * The client as its address identifies it.
   *
   * @param key never empty, and never a text that a client made up
   * @param read the address if it had to be read for the key
   */
  record Found(String key, Basis basis, Optional<IPAddress> read) {

    /**
     * Returns the client's address itself, whole. Empty when there is none, or when a trusted proxy
     * has named the client in a form that cannot be read. In that case the proxy's address is not
     * used, because its network may have higher limits.
     */
    Optional<IPAddress> address() {
      return basis == Basis.UNREADABLE ? Optional.empty() : read.or(() -> Addresses.node(key));
    }
  }

  private ClientAddress(
      List<IPAddress> trusted, boolean trustsUnixSockets, String header, int ipv6Prefix) {
    this.trusted = trusted;
    this.trustsUnixSockets = trustsUnixSockets;
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
   * @param trustedProxies single addresses, networks in CIDR form, or {@code unix} for peers that
   *     reach the server through a Unix socket; at least one
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
            .filter(text -> !isUnix(text))
            .map(text -> Addresses.network("trusted-proxies", text, EVERYBODY))
            .toList();
    if (Addresses.containAll(networks)) {
      throw Expect.failure("trusted-proxies", trustedProxies, EVERYBODY);
    }
    boolean hasUnix = networks.size() < trustedProxies.size();
    return new ClientAddress(networks, hasUnix, header, DEFAULT_IPV6_PREFIX);
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
          "trusted-proxies",
          "'" + text + "'",
          "unix, which trusts the peers of Unix sockets",
          Optional.of(UNIX));
    }
    return text.equals(UNIX);
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
    return new ClientAddress(trusted, trustsUnixSockets, header, bits);
  }

  /** Returns the client of this request. */
  Found find(RequestView request) {
    Optional<String> text = request.peerAddress();
    if (!trustsProxies() && text.filter(Addresses::isPlainIpv4).isPresent()) {
      return new Found(text.get(), Basis.PEER, Optional.empty());
    }
    Optional<Node> peer = peer(request);
    if (peer.isEmpty()) {
      return NO_ADDRESS;
    }
    if (request.isPeerAddressRewritten()) {
      return found(peer.get(), Basis.REWRITTEN);
    }
    return peer.get().trusted() ? proxied(peer.get(), request) : found(peer.get(), Basis.PEER);
  }

  /** Returns whether any proxies are trusted. */
  public boolean trustsProxies() {
    return !trusted.isEmpty() || trustsUnixSockets;
  }

  /** Returns whether peers are trusted that reach the server through a Unix socket. */
  public boolean trustsUnixSockets() {
    return trustsUnixSockets;
  }

  /**
   * Returns whether the request comes directly from a trusted proxy, so that the proxy vouches for
   * its fields. Returns false if the container has rewritten the peer's address, because the real
   * peer is then unknown.
   */
  boolean isPeerTrusted(RequestView request) {
    return !request.isPeerAddressRewritten() && peer(request).filter(Node::trusted).isPresent();
  }

  private Optional<Node> peer(RequestView request) {
    Optional<String> text = request.peerAddress();
    return trustsUnixSockets && text.filter(Addresses::isUnixPeer).isPresent()
        ? Optional.of(UNIX_PEER)
        : text.flatMap(nodes::read);
  }

  private Found proxied(Node peer, RequestView request) {
    List<String> lines = request.headers(header);
    Hops hops = new Hops(lines);
    Node client = peer;
    Basis basis = lines.isEmpty() ? Basis.NO_HEADER : Basis.UNREADABLE;
    for (int hop = 0; hop < MOST_HOPS && client.trusted(); hop++) {
      Optional<String> element = hops.next();
      if (element.isEmpty()) {
        return found(client, basis);
      }
      Optional<String> text =
          header.equalsIgnoreCase(FORWARDED) ? ForwardedElement.node(element.get()) : element;
      Optional<Node> next =
          trustsUnixSockets && text.filter(Addresses.UNIX_OF_NGINX::equals).isPresent()
              ? Optional.of(UNIX_PEER)
              : text.flatMap(nodes::read);
      if (next.isEmpty()) {
        return found(client, Basis.UNREADABLE);
      }
      client = next.get();
      basis = Basis.HEADER;
    }
    return found(client, basis);
  }

  private static Found found(Node node, Basis basis) {
    return new Found(node.key(), basis, node.address());
  }

  private Node node(IPAddress address) {
    boolean isTrusted = trusted.stream().anyMatch(network -> network.contains(address));
    IPAddress counted =
        address.isIPv6() && ipv6Prefix < LONGEST_PREFIX
            ? address.toPrefixBlock(ipv6Prefix)
            : address;
    return new Node(counted.toCanonicalString(), isTrusted, Optional.of(address));
  }

  /** Returns the header that is read; empty when none is. */
  String header() {
    return header;
  }

  /** Returns {@code peer}, or the header and the proxies that are trusted to send it. */
  @Override
  public String toString() {
    if (!trustsProxies()) {
      return "peer";
    }
    List<String> proxies = new ArrayList<>(trustsUnixSockets ? List.of(UNIX) : List.of());
    trusted.stream().limit(MOST_SHOWN).forEach(one -> proxies.add(one.toCanonicalString()));
    if (trusted.size() > MOST_SHOWN) {
      proxies.add(trusted.size() - MOST_SHOWN + " more");
    }
    return header + " of " + String.join(", ", proxies);
  }
}

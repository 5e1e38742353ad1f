package dev.weir.http;

import dev.weir.http.internal.client.Addresses;
import dev.weir.http.internal.client.ForwardedElement;
import dev.weir.http.internal.client.Hops;
import dev.weir.http.internal.client.Nat64;
import dev.weir.http.internal.client.Node;
import dev.weir.http.internal.client.TrustedProxies;
import dev.weir.internal.Expect;
import inet.ipaddr.IPAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

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
 * <p>The peer alone decides which header is read: proxies may have different ones. A walk steps
 * over the proxies whose header it reads, and ends at others.
 *
 * <p>Where the addresses of further proxies are unknown, the elements are counted instead. The
 * client is the last of so many from the right. If there are fewer, or one of them cannot be read,
 * the peer counts.
 *
 * <p>An IPv4 address counts whole, an IPv6 address by its network prefix. An IPv4 address in IPv6
 * form counts as IPv4, also under the prefixes of translators. Peers without an IP address, such as
 * those of a Unix socket, are one client, unless they are trusted as proxies. No name is ever
 * looked up.
 *
 * <p>The peer address that the container reports is trusted. Spring's {@code ForwardedHeaderFilter}
 * and Jetty's {@code ForwardedRequestCustomizer} replace it with the leftmost value, which the
 * client wrote. With either in front of this, any client chooses its own address.
 */
public final class ClientAddress {

  /** The default number of bits of an IPv6 address that are one client. */
  public static final int DEFAULT_IPV6_PREFIX = 64;

  private static final Found NO_ADDRESS =
      new Found(Addresses.NONE, Basis.NO_ADDRESS, Optional.empty());

  private static final String FORWARDED = "Forwarded";
  private static final int SHORTEST = 48;
  private static final int LONGEST = 128;

  /** The longest chain that is read. Honest chains are shorter. This bounds a forged one. */
  private static final int MOST_HOPS = 32;

  private static final int MOST_SHOWN = 8;

  private static final ClientAddress PEER =
      new ClientAddress(TrustedProxies.NONE, OptionalInt.empty(), DEFAULT_IPV6_PREFIX, List.of());

  private final TrustedProxies proxies;
  private final boolean trustsProxies;

  /** How many elements proxies add to the header that was named first. */
  private final OptionalInt trustedHops;

  private final int ipv6Prefix;
  private final List<Nat64> nat64;
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
    /** The peer, because its header has fewer elements than there are trusted hops. */
    TOO_SHORT,
    /** Another trusted proxy, which names clients in another header than the one that was read. */
    OTHER_PROXY,
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
     * Returns the client's address itself, whole. Empty when there is none, or when it is only
     * known which proxy the client stands behind. In that case the proxy's address is not used,
     * because its network may have higher limits.
     */
    Optional<IPAddress> address() {
      return switch (basis) {
        case UNREADABLE, TOO_SHORT, OTHER_PROXY -> Optional.empty();
        case PEER, REWRITTEN, HEADER, NO_HEADER, NO_ADDRESS -> read.or(() -> Addresses.node(key));
      };
    }
  }

  private ClientAddress(
      TrustedProxies proxies, OptionalInt trustedHops, int ipv6Prefix, List<Nat64> nat64) {
    if (nat64.stream().anyMatch(proxies::isAnyUnder)) {
      throw Expect.failure("nat64", nat64, "no trusted proxy there: list it by its IPv4 address");
    }
    this.proxies = proxies;
    this.trustsProxies = !proxies.isEmpty();
    this.trustedHops = trustedHops;
    this.ipv6Prefix = ipv6Prefix;
    this.nat64 = nat64;
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
    return PEER.orBehind(trustedProxies, header);
  }

  /**
   * Returns a resolver that also reads this header behind other trusted proxies. Each proxy has one
   * header. If several networks contain it, the most specific one decides.
   *
   * @param trustedProxies as for {@link #behind}; at least one
   * @param header as for {@link #behind}
   * @throws IllegalArgumentException as {@link #behind} does, and when a network has another header
   *     already
   */
  public ClientAddress orBehind(List<String> trustedProxies, String header) {
    return new ClientAddress(proxies.and(trustedProxies, header), trustedHops, ipv6Prefix, nat64);
  }

  /**
   * Returns the same resolver with IPv6 addresses counted by this prefix.
   *
   * @param bits from 48 to 128
   * @throws IllegalArgumentException when it is out of its range
   */
  public ClientAddress withIpv6Prefix(int bits) {
    if (bits < SHORTEST || bits > LONGEST) {
      throw Expect.failure("ipv6-prefix", bits, "from 48 to 128");
    }
    return new ClientAddress(proxies, trustedHops, bits, nat64);
  }

  /**
   * Returns the same resolver that counts the elements of the header of {@link #behind}. The client
   * is the last of so many from the right, whatever the addresses are. The number must be exactly
   * how many elements the proxies add to each request. With a larger one, clients choose their
   * address. With a smaller one, they share that of a proxy.
   *
   * @param hops from 1 to 32
   * @throws IllegalArgumentException when it is out of its range, or no proxies are trusted
   */
  public ClientAddress withTrustedHops(int hops) {
    if (hops < 1 || hops > MOST_HOPS) {
      throw Expect.failure("trusted-hops", hops, "from 1 to " + MOST_HOPS);
    }
    if (!trustsProxies()) {
      throw Expect.failure("trusted-proxies", List.of(), "a network, or else no hop is counted");
    }
    return new ClientAddress(proxies, OptionalInt.of(hops), ipv6Prefix, nat64);
  }

  /**
   * Returns the same resolver that takes an IPv6 address under one of these prefixes for the IPv4
   * address within, as RFC 6052 has it. Only a translator may use such a prefix.
   *
   * @param prefixes of 32, 40, 48, 56, 64 or 96 bits, such as {@code 2001:db8:64::/96}
   * @throws IllegalArgumentException when one is malformed, they overlap, or one contains a trusted
   *     proxy
   */
  public ClientAddress withNat64(List<String> prefixes) {
    List<Nat64> all = new ArrayList<>();
    for (String text : prefixes) {
      Nat64 prefix = Nat64.parse(text);
      if (all.stream().anyMatch(prefix::overlaps)) {
        throw Expect.failure("nat64", "'" + text + "'", "prefixes that do not overlap");
      }
      all.add(prefix);
    }
    return new ClientAddress(proxies, trustedHops, ipv6Prefix, List.copyOf(all));
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

  /** Returns the key of a client with this address. Empty if it is not an address. */
  Optional<String> key(String address) {
    return nodes.read(address).map(Node::key);
  }

  /**
   * Describes how the address of this request's client is found, for an operator who asks why two
   * clients share a limit. Begins with the address as it is counted, an IPv6 address by its prefix.
   */
  public String describe(RequestView request) {
    Found found = find(request);
    String how =
        switch (found.basis()) {
          case PEER ->
              trustsProxies()
                  ? "the peer, which is no trusted proxy"
                  : "the peer; no header is read";
          case REWRITTEN -> "the peer, as the container has rewritten it";
          case HEADER -> "from " + header(request) + " of a trusted proxy";
          case NO_HEADER -> "a trusted proxy, which has sent no " + header(request);
          case UNREADABLE -> "a trusted proxy, whose " + header(request) + " names no client";
          case TOO_SHORT -> "the peer, whose " + header(request) + " has too few elements";
          case OTHER_PROXY -> "a trusted proxy with another header";
          case NO_ADDRESS -> "the peer has no address";
        };
    return found.key() + " (" + how + ")";
  }

  /** Returns whether any proxies are trusted. */
  public boolean trustsProxies() {
    return trustsProxies;
  }

  /**
   * Returns the trusted networks that are larger than an IPv4 /8 or an IPv6 /16. Networks of
   * private addresses alone are left out.
   */
  public List<String> wideProxies() {
    return proxies.wide();
  }

  /** Returns the headers in which trusted proxies name the client. */
  public Set<String> headers() {
    return Set.copyOf(proxies.byHeader().keySet());
  }

  /** Returns whether peers are trusted that reach the server through a Unix socket. */
  public boolean trustsUnixSockets() {
    return proxies.unixPeer().isPresent();
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
    return proxies.unixPeer().isPresent() && text.filter(Addresses::isUnixPeer).isPresent()
        ? proxies.unixPeer()
        : text.flatMap(nodes::read);
  }

  /** Returns whether this is a trusted proxy. That of a Unix socket has no address. */
  boolean isProxy(Found found) {
    return trustsProxies()
        && found.read().map(address -> proxies.headerOf(address).isPresent()).orElse(true);
  }

  private Found proxied(Node peer, RequestView request) {
    String read = peer.header().orElseThrow();
    List<String> lines = request.headers(read);
    if (lines.isEmpty()) {
      return found(peer, Basis.NO_HEADER);
    }
    Hops elements = new Hops(lines);
    return trustedHops.isPresent() && proxies.firstHeader().filter(peer::writes).isPresent()
        ? counted(trustedHops.getAsInt(), read, peer, elements)
        : walked(read, peer, elements);
  }

  /** Finds the client by the addresses of the proxies. */
  private Found walked(String read, Node peer, Hops elements) {
    Node client = peer;
    Basis basis = Basis.UNREADABLE;
    for (int hop = 0; hop < MOST_HOPS && client.writes(read); hop++) {
      Optional<String> element = elements.next();
      if (element.isEmpty()) {
        return found(client, basis);
      }
      Optional<Node> next = named(read, element.get());
      if (next.isEmpty()) {
        return found(client, Basis.UNREADABLE);
      }
      client = next.get();
      basis = Basis.HEADER;
    }
    // the header of a proxy that has another one was not read, so a client may stand behind it
    boolean isOther = client.trusted() && !client.writes(read);
    return found(client, isOther ? Basis.OTHER_PROXY : basis);
  }

  /** Finds the client by the number of the elements that proxies add. */
  private Found counted(int hops, String read, Node peer, Hops elements) {
    Node client = peer;
    for (int hop = 0; hop < hops; hop++) {
      Optional<String> element = elements.next();
      if (element.isEmpty()) {
        return found(peer, Basis.TOO_SHORT);
      }
      Optional<Node> next = named(read, element.get());
      if (next.isEmpty()) {
        return found(peer, Basis.UNREADABLE);
      }
      client = next.get();
    }
    return found(client, Basis.HEADER);
  }

  /** Returns the node that an element of this header names. */
  private Optional<Node> named(String read, String element) {
    Optional<String> text =
        read.equalsIgnoreCase(FORWARDED) ? ForwardedElement.node(element) : Optional.of(element);
    return proxies.unixPeer().isPresent()
            && text.filter(Addresses.UNIX_OF_NGINX::equals).isPresent()
        ? proxies.unixPeer()
        : text.flatMap(nodes::read);
  }

  private static Found found(Node node, Basis basis) {
    return new Found(node.key(), basis, node.address());
  }

  private Node node(IPAddress written) {
    IPAddress address =
        nat64.stream()
            .flatMap(prefix -> prefix.within(written).stream())
            .findFirst()
            .orElse(written);
    IPAddress counted =
        address.isIPv6() && ipv6Prefix < LONGEST ? address.toPrefixBlock(ipv6Prefix) : address;
    return new Node(counted.toCanonicalString(), proxies.headerOf(address), Optional.of(address));
  }

  /** Returns the header in which the request's peer names clients; empty when none is read. */
  String header(RequestView request) {
    return peer(request).flatMap(Node::header).orElse("");
  }

  /** Returns how many elements of the header are counted; empty when addresses decide. */
  OptionalInt trustedHops() {
    return trustedHops;
  }

  /** Returns {@code peer}, or each header and the proxies that are trusted to send it. */
  @Override
  public String toString() {
    List<String> all = new ArrayList<>();
    proxies.byHeader().forEach((header, networks) -> all.add(header + " of " + shown(networks)));
    if (all.isEmpty()) {
      all.add("peer");
    }
    if (trustedHops.isPresent()) {
      all.set(0, all.get(0) + " with " + trustedHops.getAsInt() + " trusted hops");
    }
    if (!nat64.isEmpty()) {
      all.add("NAT64 " + shown(nat64.stream().map(Nat64::toString).toList()));
    }
    return String.join("; ", all);
  }

  private static String shown(List<String> networks) {
    String shown = networks.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "));
    return networks.size() > MOST_SHOWN
        ? shown + ", " + (networks.size() - MOST_SHOWN) + " more"
        : shown;
  }
}

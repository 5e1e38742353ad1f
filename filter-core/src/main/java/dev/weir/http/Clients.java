package dev.weir.http;

import inet.ipaddr.IPAddress;
import inet.ipaddr.format.util.DualIPv4v6Tries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A set of clients: networks, and keys of which only the digests are known. Immutable and
 * thread-safe. To look a client up costs no more in a long list than in a short one.
 *
 * <p>A client's address is the one that {@link ClientAddress} finds, whole: IPv6 addresses are not
 * cut to their prefix here. Who has no IP address, or was named by a proxy in a way that cannot be
 * read, is in no network.
 */
public final class Clients {

  /** Nobody. */
  public static final Clients NOBODY = new Clients(new DualIPv4v6Tries(), List.of());

  private static final String EVERYBODY =
      "a network that leaves somebody out, for a rule's patterns tell what holds for all";

  private final DualIPv4v6Tries networks;
  private final List<Keys> keys;

  /** Told once, for every request asks. */
  private final boolean isNobody;

  /** The keys of one place. */
  private record Keys(KeyPlace place, Set<KeyDigest> digests) {

    boolean has(String key) {
      return digests.contains(KeyDigest.of(key));
    }
  }

  private Clients(DualIPv4v6Tries networks, List<Keys> keys) {
    this.networks = networks;
    this.keys = List.copyOf(keys);
    this.isNobody = networks.isEmpty() && this.keys.isEmpty();
  }

  /**
   * The clients in these networks.
   *
   * @param networks in CIDR form, or single addresses
   * @throws IllegalArgumentException when one is malformed or is everybody's
   */
  public static Clients in(List<String> networks) {
    DualIPv4v6Tries tries = new DualIPv4v6Tries();
    for (String network : networks) {
      tries.add(Addresses.network("network", network, EVERYBODY));
    }
    return new Clients(tries, List.of());
  }

  /**
   * The clients that know one of these keys.
   *
   * @param place {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}
   * @throws IllegalArgumentException when the place is no such thing
   */
  public static Clients knowing(String place, Set<KeyDigest> digests) {
    Keys keys = new Keys(KeyPlace.parse(place), Set.copyOf(digests));
    return new Clients(new DualIPv4v6Tries(), List.of(keys));
  }

  /** Those of both. */
  public Clients and(Clients other) {
    DualIPv4v6Tries both = networks.clone();
    other.networks.forEach(both::add);
    List<Keys> all = new ArrayList<>(keys);
    all.addAll(other.keys);
    return new Clients(both, all);
  }

  /** Whether nobody is in it. */
  public boolean isEmpty() {
    return networks.isEmpty() && keys.stream().allMatch(known -> known.digests().isEmpty());
  }

  /** Whether the address must be known to tell who is in it. */
  boolean needsAddress() {
    return !networks.isEmpty();
  }

  /** Whether the client is in it, by its address or by the one key that counts. */
  boolean has(RequestContext sighting) {
    return !isNobody && (hasAddress(sighting) || hasOneKey(sighting.request()));
  }

  /**
   * Whether the client is in it by anything that it sends: for lists of whom to keep out, since
   * nobody knows which of two keys the application reads.
   */
  boolean hasAnything(RequestContext sighting) {
    return !isNobody && (hasAddress(sighting) || hasAnyKey(sighting.request()));
  }

  private boolean hasOneKey(RequestView request) {
    return keys.stream()
        .anyMatch(known -> known.place().key(request).filter(known::has).isPresent());
  }

  private boolean hasAnyKey(RequestView request) {
    return keys.stream()
        .anyMatch(known -> known.place().keys(request).stream().anyMatch(known::has));
  }

  private boolean hasAddress(RequestContext sighting) {
    return !networks.isEmpty() && sighting.address().filter(this::hasAddress).isPresent();
  }

  private boolean hasAddress(IPAddress address) {
    return networks.elementContains(address);
  }

  /** How many networks and keys there are; never which. */
  @Override
  public String toString() {
    Set<KeyDigest> all = new HashSet<>();
    keys.forEach(known -> all.addAll(known.digests()));
    return networks.size() + " networks, " + all.size() + " keys";
  }
}

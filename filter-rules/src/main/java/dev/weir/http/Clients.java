package dev.weir.http;

import dev.weir.http.internal.client.Addresses;
import inet.ipaddr.format.util.DualIPv4v6Tries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A set of clients: networks, and keys of which only the digests are known. Immutable and
 * thread-safe. A lookup in a long list costs no more than in a short one.
 *
 * <p>A client's address is the one that {@link ClientAddress} finds, whole. IPv6 addresses are not
 * cut to their prefix here. A client without an IP address is in no network. Neither is one that a
 * proxy named in a form that cannot be read.
 */
public final class Clients {

  /** The empty set. */
  public static final Clients NONE = new Clients(new DualIPv4v6Tries(), List.of());

  private static final String EVERYBODY =
      "a network that excludes some addresses; the rule's patterns match all";

  private final DualIPv4v6Tries networks;
  private final List<Keys> keys;

  /** Whether the set is empty. Computed once, because every request needs it. */
  private final boolean isNobody;

  /** The keys of one place. */
  private record Keys(KeyPlace place, Set<KeyDigest> digests) {}

  private Clients(DualIPv4v6Tries networks, List<Keys> keys) {
    this.networks = networks;
    this.keys = List.copyOf(keys);
    this.isNobody = networks.isEmpty() && this.keys.isEmpty();
  }

  /**
   * Returns the clients in these networks.
   *
   * @param networks in CIDR form, or single addresses
   * @throws IllegalArgumentException when one is malformed or contains all addresses
   */
  public static Clients in(List<String> networks) {
    DualIPv4v6Tries tries = new DualIPv4v6Tries();
    for (String network : networks) {
      tries.add(Addresses.network("network", network, EVERYBODY));
    }
    return new Clients(tries, List.of());
  }

  /**
   * Returns the clients that know one of these keys.
   *
   * @param place {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}
   * @throws IllegalArgumentException when the place has none of these forms
   */
  public static Clients knowing(String place, Set<KeyDigest> digests) {
    Keys keys = new Keys(KeyPlace.parse(place), Set.copyOf(digests));
    return new Clients(new DualIPv4v6Tries(), List.of(keys));
  }

  /** Returns the union of both sets. */
  public Clients and(Clients other) {
    DualIPv4v6Tries both = networks.clone();
    other.networks.forEach(both::add);
    List<Keys> all = new ArrayList<>(keys);
    all.addAll(other.keys);
    return new Clients(both, all);
  }

  /** Returns whether the set contains no client. */
  public boolean isEmpty() {
    return networks.isEmpty() && keys.stream().allMatch(known -> known.digests().isEmpty());
  }

  /** Returns whether the client's address is necessary to decide whether the set contains it. */
  boolean needsAddress() {
    return !networks.isEmpty();
  }

  /** Returns whether the set contains the client, by its address or by the one key that counts. */
  boolean has(RequestContext context) {
    return !isNobody
        && (hasAddress(context)
            || keys.stream()
                .anyMatch(
                    known ->
                        context
                            .digest(known.place())
                            .filter(known.digests()::contains)
                            .isPresent()));
  }

  /**
   * Returns whether the set contains the client by any value that it sends. This is for deny lists,
   * because it is unknown which of two keys the application reads.
   */
  boolean hasAnything(RequestContext context) {
    return !isNobody
        && (hasAddress(context)
            || keys.stream()
                .anyMatch(
                    known ->
                        context.digests(known.place()).stream()
                            .anyMatch(known.digests()::contains)));
  }

  private boolean hasAddress(RequestContext context) {
    return !networks.isEmpty() && context.address().filter(networks::elementContains).isPresent();
  }

  /** Returns the number of networks and of keys, and never the values themselves. */
  @Override
  public String toString() {
    Set<KeyDigest> all = new HashSet<>();
    keys.forEach(known -> all.addAll(known.digests()));
    return networks.size() + " networks, " + all.size() + " keys";
  }
}

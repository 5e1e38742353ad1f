package dev.weir.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.internal.client.Addresses;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.internal.Expect;
import dev.weir.internal.store.Sha256;
import inet.ipaddr.format.util.DualIPv4v6Tries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The differences that a rule makes between clients. Immutable and thread-safe.
 *
 * <p>The checks run in a fixed order, and the first match decides. A denied client is denied,
 * whatever else matches. An allowed client is not limited by the rule. Next is the first override
 * that contains the client. The last check is the client's tier.
 *
 * @param denied the clients that are denied, uncounted
 * @param allowed the clients that pass the rule, uncounted
 * @param overrides in order
 * @param standard the limits of all other clients, where there are no tiers; empty for all limits
 *     of the rule
 * @param tiers the limits of all other clients by their tier
 */
public record ClientPolicy(
    Clients denied,
    Clients allowed,
    List<LimitOverride> overrides,
    List<NamedLimit> standard,
    Optional<TierLimits> tiers) {

  /** The policy that treats all clients equally. */
  public static final ClientPolicy SAME_FOR_ALL =
      new ClientPolicy(Clients.NONE, Clients.NONE, List.of(), List.of(), Optional.empty());

  public ClientPolicy {
    Objects.requireNonNull(denied, "denied");
    Objects.requireNonNull(allowed, "allowed");
    Objects.requireNonNull(tiers, "tiers");
    overrides = List.copyOf(overrides);
    standard = List.copyOf(standard);
  }

  /** Returns whether it makes no difference between clients. */
  boolean isSameForAll() {
    return denied.isEmpty() && allowed.isEmpty() && overrides.isEmpty() && tiers.isEmpty();
  }

  /** Returns the limits of clients that no list and no tier gives other ones. */
  List<NamedLimit> standardOf(Rule rule) {
    return standard.isEmpty() ? rule.limits() : standard;
  }

  /** Returns the same policy with these clients denied. */
  public ClientPolicy withDenied(Clients clients) {
    return new ClientPolicy(clients, allowed, overrides, standard, tiers);
  }

  /** Returns the same policy with these clients allowed. */
  public ClientPolicy withAllowed(Clients clients) {
    return new ClientPolicy(denied, clients, overrides, standard, tiers);
  }

  /**
   * Returns the same policy where some clients have their own limits, and all others have these.
   */
  public ClientPolicy withOverrides(List<LimitOverride> some, List<NamedLimit> others) {
    return new ClientPolicy(denied, allowed, some, others, tiers);
  }

  /** Returns the same policy where a client's tier determines its limits. */
  public ClientPolicy withTiers(TierLimits each) {
    return new ClientPolicy(denied, allowed, overrides, standard, Optional.of(each));
  }

  /** Returns all limits that the policy gives to any client, each once. The rule must have them. */
  public List<NamedLimit> limits() {
    List<NamedLimit> limits = new ArrayList<>(standard);
    overrides.forEach(override -> limits.addAll(override.limits()));
    tiers.ifPresent(each -> each.limitsOf().values().forEach(limits::addAll));
    return limits.stream().distinct().toList();
  }

  /** Returns why a client's address must be known. Empty when it need not be known. */
  Optional<String> reasonForAddress() {
    List<Clients> lists = new ArrayList<>(List.of(denied, allowed));
    overrides.forEach(override -> lists.add(override.clients()));
    if (lists.stream().anyMatch(Clients::needsAddress)) {
      return Optional.of("a list of the rule identifies clients by their address");
    }
    return tiers
        .filter(each -> each.source().needsPeer())
        .map(each -> "the rule's tier is read from a header, of trusted proxies only");
  }

  /** Returns whether the authenticated user may matter, so that authentication must come first. */
  boolean needsUser() {
    return tiers.filter(each -> each.source().needsUser()).isPresent();
  }

  /** Returns the place of the keys that its tiers know. Empty if they know none. */
  Optional<KeyPlace> keys() {
    return tiers.flatMap(each -> each.source().keys());
  }

  /** Returns all places of keys that it knows. */
  Stream<KeyPlace> keyPlaces() {
    Stream<Clients> lists =
        Stream.concat(Stream.of(denied, allowed), overrides.stream().map(LimitOverride::clients));
    return Stream.concat(
        lists.flatMap(list -> list.keys.stream().map(Clients.Keys::place)), keys().stream());
  }

  /** Returns whether the subject is a key, and the tiers know that of this request. */
  boolean knowsKey(SubjectResolver subject, RequestContext context) {
    return keys().filter(subject::isKeyIn).isPresent()
        && tiers.flatMap(each -> each.source().tier(context)).isPresent();
  }

  /** Returns whether the client of this request is denied. */
  boolean denies(RequestContext context) {
    return denied.hasAnything(context);
  }

  /** Returns which limits apply to the client of this request. None when it is exempt. */
  List<NamedLimit> limits(Rule rule, RequestContext context, RuleEvents events) {
    if (allowed.has(context)) {
      return List.of();
    }
    for (LimitOverride override : overrides) {
      if (override.clients().has(context)) {
        return override.limits();
      }
    }
    if (tiers.isPresent()) {
      return tiers.get().limits(context, events);
    }
    return standardOf(rule);
  }

  /**
   * Limits for some clients that replace their usual limits.
   *
   * @param limits at least one; for clients without any limit, an allow list is better
   */
  public record LimitOverride(Clients clients, List<NamedLimit> limits) {

    /**
     * @throws IllegalArgumentException when there is no limit
     */
    public LimitOverride {
      Objects.requireNonNull(clients, "clients");
      limits = List.copyOf(limits);
      if (limits.isEmpty()) {
        throw Expect.failure("limits", limits, "at least one limit");
      }
    }
  }

  /**
   * The limits of each tier. Counters belong to limits. So a client that changes its tier starts
   * with full counters for limits that its old tier did not have.
   *
   * @param source determines a client's tier
   * @param limitsOf for each tier that the source may return; an empty list means no limit
   */
  public record TierLimits(TierSource source, Map<String, List<NamedLimit>> limitsOf) {

    /**
     * @throws IllegalArgumentException when a tier that the source may return has no entry
     */
    public TierLimits {
      Objects.requireNonNull(source, "source");
      limitsOf = Map.copyOf(limitsOf);
      TreeSet<String> tiers = new TreeSet<>(source.tiers());
      tiers.add(source.otherwise());
      for (String tier : tiers) {
        if (!limitsOf.containsKey(tier)) {
          throw Expect.failure(
              "limits",
              new TreeSet<>(limitsOf.keySet()),
              "limits for tier '" + tier + "' too, which 'tier' may return");
        }
      }
    }

    /**
     * Returns the limits of the client of this request. If its tier cannot be determined, the
     * failure is reported.
     */
    List<NamedLimit> limits(RequestContext context, RuleEvents events) {
      String tier = source.otherwise();
      try {
        tier = source.tier(context).filter(limitsOf::containsKey).orElse(tier);
      } catch (RuntimeException e) {
        events.failed("a tier cannot be determined, the default applies", e);
      }
      return Objects.requireNonNull(limitsOf.get(tier), "checked when this was made");
    }
  }

  /**
   * A set of clients: networks, and keys of which only the digests are known. Immutable and
   * thread-safe. A lookup in a long list costs no more than in a short one.
   *
   * <p>A client's address is the one that {@link ClientAddress} finds, whole. IPv6 addresses are
   * not cut to their prefix here. A client without an IP address is in no network. Neither is one
   * that a proxy named in a form that cannot be read.
   */
  public static final class Clients {

    /** The empty set. */
    public static final Clients NONE = new Clients(new DualIPv4v6Tries(), List.of());

    private static final String EVERYBODY =
        "a network that excludes some addresses; the rule's patterns match all";

    private final DualIPv4v6Tries networks;
    private final List<Keys> keys;

    /** The keys of one place. */
    private record Keys(KeyPlace place, Set<KeyDigest> digests) {}

    private Clients(DualIPv4v6Tries networks, List<Keys> keys) {
      this.networks = networks;
      this.keys = List.copyOf(keys);
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

    /**
     * Returns whether the set contains the client, by its address or by the one key that counts.
     */
    boolean has(RequestContext context) {
      if (hasAddress(context)) {
        return true;
      }
      for (Keys known : keys) {
        if (context.digests(known.place()).ofKey().filter(known.digests()::contains).isPresent()) {
          return true;
        }
      }
      return false;
    }

    /**
     * Returns whether the set contains the client by any value that it sends. This is for deny
     * lists, because it is unknown which of two keys the application reads.
     */
    boolean hasAnything(RequestContext context) {
      if (hasAddress(context)) {
        return true;
      }
      for (Keys known : keys) {
        if (context.digests(known.place()).ofAll().stream().anyMatch(known.digests()::contains)) {
          return true;
        }
      }
      return false;
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

  /**
   * The SHA-256 of a key, in hexadecimal digits. With it a configuration names a key without
   * knowing it. It protects keys that were drawn at random. It does not protect keys that can be
   * guessed.
   *
   * @param hex 64 digits in lower case
   */
  public record KeyDigest(String hex) {

    private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{64}");

    /**
     * @throws IllegalArgumentException when it is not 64 hexadecimal digits; the message does not
     *     show the value, because that may be a key
     */
    public KeyDigest {
      if (!FORM.matcher(hex).matches()) {
        throw Expect.failure(
            "sha256", "something else", "the SHA-256 of a key, as 64 hexadecimal digits");
      }
      hex = hex.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the digest of this key's bytes in UTF-8, as {@code printf %s KEY | sha256sum} prints
     * it.
     */
    public static KeyDigest of(String key) {
      return new KeyDigest(Sha256.PLAIN.hex(key.getBytes(UTF_8)));
    }

    @Override
    public String toString() {
      return "sha256";
    }
  }
}

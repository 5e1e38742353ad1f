package dev.weir.http;

import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.internal.client.Tokens;
import dev.weir.internal.Expect;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Determines the tier of a client. Immutable and thread-safe. A value that a client chooses freely
 * never determines its tier. A header is trusted only from a trusted proxy.
 */
public final class TierSource {

  /** What must be known before the tier can be. */
  private enum Basis {
    PEER,
    USER,
    REQUEST
  }

  private static final String EVERY_USER = "**";

  private final Basis basis;
  private final Set<String> tiers;
  private final String otherwise;
  private final Optional<KeyPlace> keys;
  private final Function<RequestContext, Optional<String>> reader;

  private TierSource(
      Basis basis,
      Collection<String> tiers,
      String otherwise,
      Function<RequestContext, Optional<String>> reader) {
    this(basis, tiers, otherwise, Optional.empty(), reader);
  }

  private TierSource(
      Basis basis,
      Collection<String> tiers,
      String otherwise,
      Optional<KeyPlace> keys,
      Function<RequestContext, Optional<String>> reader) {
    Expect.notBlank("otherwise", otherwise);
    tiers.forEach(tier -> Expect.notBlank("tier", tier));
    this.basis = basis;
    this.tiers = Set.copyOf(tiers);
    this.otherwise = otherwise;
    this.keys = keys;
    this.reader = reader;
  }

  /**
   * Returns the source that reads a header, which trusted proxies set, and which they remove where
   * a client has sent it. If there are two lines, it is unknown which one the proxy has set. So
   * neither is trusted. Proxies may send any tier.
   *
   * @throws IllegalArgumentException when the header is not a field name, or a tier is blank
   */
  public static TierSource ofHeader(String header, String otherwise) {
    if (!Tokens.isToken(header)) {
      throw Expect.failure("header", "'" + header + "'", "a field name such as X-Tier");
    }
    return new TierSource(Basis.PEER, List.of(), otherwise, context -> ofHeader(header, context));
  }

  private static Optional<String> ofHeader(String header, RequestContext context) {
    if (!context.isPeerTrusted()) {
      return Optional.empty();
    }
    List<String> lines = context.request().headers(header);
    return lines.size() == 1 ? Optional.of(lines.get(0).strip()) : Optional.empty();
  }

  /**
   * Returns the source that reads the roles of the authenticated user. The first role in their
   * order that the user has determines the tier. Every authenticated user has the role {@code **},
   * as in a {@code web.xml}.
   *
   * @param tierOfRole at least one
   * @throws IllegalArgumentException when there is no role, or a tier is blank
   */
  public static TierSource ofRoles(Map<String, String> tierOfRole, String otherwise) {
    Map<String, String> roles = new LinkedHashMap<>(tierOfRole);
    if (roles.isEmpty()) {
      throw Expect.failure("roles", roles, "at least one role and its tier");
    }
    return new TierSource(
        Basis.USER,
        roles.values(),
        otherwise,
        context ->
            roles.keySet().stream()
                .filter(role -> isUserInRole(role, context.request()))
                .findFirst()
                .map(roles::get));
  }

  /** Does not leave {@code **} to the container: Jetty never confirms it. */
  private static boolean isUserInRole(String role, RequestView request) {
    return request.isUserInRole(role)
        || (role.equals(EVERY_USER) && request.principal().isPresent());
  }

  /**
   * Returns the source that looks up the keys of clients, identified by their digests.
   *
   * @param place {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}; of several values
   *     the first counts, but cookies that differ count as none
   * @throws IllegalArgumentException when the place has none of these forms, or a tier is blank
   */
  public static TierSource ofKeys(
      String place, Map<KeyDigest, String> tierOfKey, String otherwise) {
    KeyPlace keys = KeyPlace.parse(place);
    Map<KeyDigest, String> tiers = Map.copyOf(tierOfKey);
    return new TierSource(
        Basis.REQUEST,
        tiers.values(),
        otherwise,
        Optional.of(keys),
        context -> context.digests(keys).ofKey().map(tiers::get));
  }

  /**
   * Returns the source that asks a user's own function. It may return any tier.
   *
   * @throws IllegalArgumentException when a tier is blank
   */
  public static TierSource ofFunction(
      Function<RequestView, Optional<String>> function, String otherwise) {
    Objects.requireNonNull(function, "function");
    return new TierSource(
        Basis.USER, List.of(), otherwise, context -> function.apply(context.request()));
  }

  /** Returns the tier of a client without a tier, or with an unknown one. */
  public String otherwise() {
    return otherwise;
  }

  /**
   * Returns the tiers that are configured, in addition to {@link #otherwise}. None where any tier
   * may be returned.
   */
  public Set<String> tiers() {
    return tiers;
  }

  /** Returns the tier of this request's client, or empty when it is unknown. */
  Optional<String> tier(RequestContext context) {
    return reader.apply(context);
  }

  /** Returns the place of the keys that it looks up. A request has a tier if its key is known. */
  Optional<KeyPlace> keys() {
    return keys;
  }

  /** Returns whether only a trusted proxy is believed, so that the proxies must be known. */
  boolean needsPeer() {
    return basis == Basis.PEER;
  }

  /** Returns whether the authenticated user may matter, so that authentication must come first. */
  boolean needsUser() {
    return basis == Basis.USER;
  }
}

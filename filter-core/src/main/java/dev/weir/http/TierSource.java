package dev.weir.http;

import dev.weir.http.internal.client.Tokens;
import dev.weir.internal.Expect;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the tier of a client. Immutable and thread-safe. A value that a client chooses freely
 * never determines its tier. A header is trusted only from a trusted proxy.
 */
public sealed interface TierSource {

  /** Returns the tier of a client without a tier, or with an unknown one. */
  String otherwise();

  /** Returns the tiers that it may return, in addition to {@link #otherwise}. */
  Set<String> tiers();

  /** Returns the tier of this request's client, or empty when it is unknown. */
  Optional<String> tier(TierView request);

  /** What a source can read of a request. */
  interface TierView {

    RequestView request();

    /**
     * Returns whether the peer is a trusted proxy. A trusted proxy has set or removed the fields
     * that it passes on.
     */
    boolean isPeerTrusted();
  }

  /**
   * A header that trusted proxies set, and that they remove where a client has sent it. If there
   * are two lines, it is unknown which one the proxy has set. So neither is trusted.
   */
  record OfHeader(String header, String otherwise) implements TierSource {

    /**
     * @throws IllegalArgumentException when the header is not a field name, or a tier is blank
     */
    public OfHeader {
      Expect.notBlank("otherwise", otherwise);
      if (!Tokens.isToken(header)) {
        throw Expect.failure("header", "'" + header + "'", "a field name such as X-Tier");
      }
    }

    /** Returns none, because proxies may send any tier. */
    @Override
    public Set<String> tiers() {
      return Set.of();
    }

    @Override
    public Optional<String> tier(TierView view) {
      if (!view.isPeerTrusted()) {
        return Optional.empty();
      }
      List<String> lines = view.request().headers(header);
      return lines.size() == 1 ? Optional.of(lines.get(0).strip()) : Optional.empty();
    }
  }

  /**
   * The roles of the authenticated user. The first role in their order that the user has determines
   * the tier.
   *
   * @param tierOfRole at least one
   */
  record OfRoles(Map<String, String> tierOfRole, String otherwise) implements TierSource {

    /**
     * @throws IllegalArgumentException when there is no role, or a tier is blank
     */
    public OfRoles {
      Expect.notBlank("otherwise", otherwise);
      tierOfRole = Collections.unmodifiableMap(new LinkedHashMap<>(tierOfRole));
      tierOfRole.values().forEach(tier -> Expect.notBlank("tier", tier));
      if (tierOfRole.isEmpty()) {
        throw Expect.failure("roles", tierOfRole, "at least one role and its tier");
      }
    }

    @Override
    public Set<String> tiers() {
      return Set.copyOf(tierOfRole.values());
    }

    @Override
    public Optional<String> tier(TierView view) {
      return tierOfRole.entrySet().stream()
          .filter(entry -> view.request().isUserInRole(entry.getKey()))
          .map(Map.Entry::getValue)
          .findFirst();
    }
  }

  /**
   * The keys of clients, identified by their digests.
   *
   * @param place {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}; of several values
   *     the first counts, but cookies that differ count as none
   */
  record OfKeys(String place, Map<KeyDigest, String> tierOfKey, String otherwise)
      implements TierSource {

    /**
     * @throws IllegalArgumentException when the place has none of these forms, or a tier is blank
     */
    public OfKeys {
      Expect.notBlank("otherwise", otherwise);
      place = KeyPlace.parse(place).kind();
      tierOfKey = Map.copyOf(tierOfKey);
      tierOfKey.values().forEach(tier -> Expect.notBlank("tier", tier));
    }

    @Override
    public Set<String> tiers() {
      return Set.copyOf(tierOfKey.values());
    }

    @Override
    public Optional<String> tier(TierView view) {
      return new KeyPlace(place)
          .key(view.request())
          .flatMap(key -> Optional.ofNullable(tierOfKey.get(KeyDigest.of(key))));
    }
  }

  /** The result of a user's own function. */
  record OfFunction(TierFunction function, String otherwise) implements TierSource {

    /**
     * @throws IllegalArgumentException when a tier is blank
     */
    public OfFunction {
      Objects.requireNonNull(function, "function");
      Expect.notBlank("otherwise", otherwise);
    }

    /** Returns none, because the function may return any tier. */
    @Override
    public Set<String> tiers() {
      return Set.of();
    }

    @Override
    public Optional<String> tier(TierView view) {
      return function.tier(view.request());
    }
  }
}

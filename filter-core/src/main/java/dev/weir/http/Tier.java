package dev.weir.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Tells which plan a client has. Immutable and thread-safe. Nothing that a client chooses freely
 * tells its plan: a header is believed only from a trusted proxy.
 */
public sealed interface Tier {

  /** The plan of a client of which nothing tells one, or one that nobody knows. */
  String otherwise();

  /** The plans that it is known to tell, beside {@link #otherwise}. */
  Set<String> plans();

  /** The plan of this request's client, where something tells it. */
  Optional<String> plan(TierView request);

  /** What a tier may look at. */
  interface TierView {

    RequestView request();

    /** Whether the peer is a proxy that we trust, and so wrote or removed what it passes on. */
    boolean isPeerTrusted();
  }

  /**
   * A header that trusted proxies set, and remove where a client has sent it. Of two lines nobody
   * knows which one is the proxy's, so neither is believed.
   */
  record OfHeader(String header, String otherwise) implements Tier {

    /**
     * @throws IllegalArgumentException when the header is not a field name, or a plan is blank
     */
    public OfHeader {
      Expect.notBlank("otherwise", otherwise);
      if (!Tokens.isToken(header)) {
        throw Expect.failure(
            "header", "'" + Expect.printable(header) + "'", "a field name such as X-Plan");
      }
    }

    /** Whatever proxies say. */
    @Override
    public Set<String> plans() {
      return Set.of();
    }

    @Override
    public Optional<String> plan(TierView view) {
      if (!view.isPeerTrusted()) {
        return Optional.empty();
      }
      List<String> lines = view.request().headers(header);
      return lines.size() == 1 ? Optional.of(lines.get(0).strip()) : Optional.empty();
    }
  }

  /**
   * The roles of the authenticated user: the first one that it has, in their order.
   *
   * @param planOfRole at least one
   */
  record OfRoles(Map<String, String> planOfRole, String otherwise) implements Tier {

    /**
     * @throws IllegalArgumentException when there is no role, or a plan is blank
     */
    public OfRoles {
      Expect.notBlank("otherwise", otherwise);
      planOfRole = Collections.unmodifiableMap(new LinkedHashMap<>(planOfRole));
      planOfRole.values().forEach(plan -> Expect.notBlank("plan", plan));
      if (planOfRole.isEmpty()) {
        throw Expect.failure("roles", planOfRole, "at least one role and its plan");
      }
    }

    @Override
    public Set<String> plans() {
      return Set.copyOf(planOfRole.values());
    }

    @Override
    public Optional<String> plan(TierView view) {
      return planOfRole.entrySet().stream()
          .filter(entry -> view.request().isUserInRole(entry.getKey()))
          .map(Map.Entry::getValue)
          .findFirst();
    }
  }

  /**
   * The keys of clients, known by their digests.
   *
   * @param place {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}; of several values
   *     the first counts
   */
  record OfKeys(String place, Map<KeyDigest, String> planOfKey, String otherwise) implements Tier {

    /**
     * @throws IllegalArgumentException when the place is no such thing, or a plan is blank
     */
    public OfKeys {
      Expect.notBlank("otherwise", otherwise);
      place = KeyPlace.parse(place).kind();
      planOfKey = Map.copyOf(planOfKey);
      planOfKey.values().forEach(plan -> Expect.notBlank("plan", plan));
    }

    @Override
    public Set<String> plans() {
      return Set.copyOf(planOfKey.values());
    }

    @Override
    public Optional<String> plan(TierView view) {
      return new KeyPlace(place)
          .key(view.request())
          .flatMap(key -> Optional.ofNullable(planOfKey.get(KeyDigest.of(key))));
    }
  }

  /** What a user's own function says. */
  record OfFunction(PlanFunction function, String otherwise) implements Tier {

    /**
     * @throws IllegalArgumentException when a plan is blank
     */
    public OfFunction {
      Objects.requireNonNull(function, "function");
      Expect.notBlank("otherwise", otherwise);
    }

    /** Whatever it says. */
    @Override
    public Set<String> plans() {
      return Set.of();
    }

    @Override
    public Optional<String> plan(TierView view) {
      return function.plan(view.request());
    }
  }
}

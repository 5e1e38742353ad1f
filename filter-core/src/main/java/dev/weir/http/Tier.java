package dev.weir.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the plan of a client. Immutable and thread-safe. A value that a client chooses freely
 * never determines its plan. A header is trusted only from a trusted proxy.
 */
public sealed interface Tier {

  /** Returns the plan of a client without a plan, or with an unknown one. */
  String otherwise();

  /** Returns the plans that it may return, in addition to {@link #otherwise}. */
  Set<String> plans();

  /** Returns the plan of this request's client, or empty when it is unknown. */
  Optional<String> plan(TierView request);

  /** What a tier can read of a request. */
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

    /** Returns none, because proxies may send any plan. */
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
   * The roles of the authenticated user. The first role in their order that the user has determines
   * the plan.
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
   * The keys of clients, identified by their digests.
   *
   * @param place {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}; of several values
   *     the first counts, but cookies that differ count as none
   */
  record OfKeys(String place, Map<KeyDigest, String> planOfKey, String otherwise) implements Tier {

    /**
     * @throws IllegalArgumentException when the place has none of these forms, or a plan is blank
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

  /** The result of a user's own function. */
  record OfFunction(PlanFunction function, String otherwise) implements Tier {

    /**
     * @throws IllegalArgumentException when a plan is blank
     */
    public OfFunction {
      Objects.requireNonNull(function, "function");
      Expect.notBlank("otherwise", otherwise);
    }

    /** Returns none, because the function may return any plan. */
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

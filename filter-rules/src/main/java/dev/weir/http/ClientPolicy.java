package dev.weir.http;

import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.internal.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
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
    return Stream.of(
            standard.stream(),
            overrides.stream().flatMap(override -> override.limits().stream()),
            tiers.stream().flatMap(each -> each.limitsOf().values().stream()).flatMap(List::stream))
        .flatMap(limits -> limits)
        .distinct()
        .toList();
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
      List<NamedLimit> limits = limitsOf.get(tier(context, events));
      return limits == null ? otherwise() : limits;
    }

    private String tier(RequestContext context, RuleEvents events) {
      try {
        return source.tier(context).orElse(source.otherwise());
      } catch (RuntimeException e) {
        events.failed("a tier cannot be determined, the default applies", e);
        return source.otherwise();
      }
    }

    private List<NamedLimit> otherwise() {
      return Objects.requireNonNull(limitsOf.get(source.otherwise()), "checked when this was made");
    }
  }
}

package dev.weir.http;

import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.internal.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    return standard.isEmpty() ? rule.limits() : standard;
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
}

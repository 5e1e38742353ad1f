package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a rule does for some clients and not for others. Immutable and thread-safe. Who is denied is
 * denied, whatever else says otherwise; who is allowed is not limited by the rule; then come
 * overrides, the first that has the client, and then its plan.
 *
 * @param denied who is refused, uncounted
 * @param allowed who passes the rule, uncounted
 * @param overrides in order
 * @param standard the limits of all others, where there are no plans; empty for all of the rule's
 * @param plans the limits of all others by their plan
 */
public record ClientPolicy(
    Clients denied,
    Clients allowed,
    List<LimitOverride> overrides,
    List<NamedLimit> standard,
    Optional<Plans> plans) {

  /** All clients are equal. */
  public static final ClientPolicy SAME_FOR_ALL =
      new ClientPolicy(Clients.NOBODY, Clients.NOBODY, List.of(), List.of(), Optional.empty());

  public ClientPolicy {
    Objects.requireNonNull(denied, "denied");
    Objects.requireNonNull(allowed, "allowed");
    Objects.requireNonNull(plans, "plans");
    overrides = List.copyOf(overrides);
    standard = List.copyOf(standard);
  }

  /** The same, where these are refused. */
  public ClientPolicy withDenied(Clients clients) {
    return new ClientPolicy(clients, allowed, overrides, standard, plans);
  }

  /** The same, where these pass. */
  public ClientPolicy withAllowed(Clients clients) {
    return new ClientPolicy(denied, clients, overrides, standard, plans);
  }

  /** The same, where some clients have limits of their own, and all others these. */
  public ClientPolicy withOverrides(List<LimitOverride> some, List<NamedLimit> others) {
    return new ClientPolicy(denied, allowed, some, others, plans);
  }

  /** The same, where a client's plan says which limits it has. */
  public ClientPolicy withPlans(Plans each) {
    return new ClientPolicy(denied, allowed, overrides, standard, Optional.of(each));
  }

  /** All limits that it gives to anybody, each once; a rule has to have them. */
  public List<NamedLimit> limits() {
    return Stream.of(
            standard.stream(),
            overrides.stream().flatMap(override -> override.limits().stream()),
            plans.stream().flatMap(each -> each.limitsOf().values().stream()).flatMap(List::stream))
        .flatMap(limits -> limits)
        .distinct()
        .toList();
  }

  /** Why a client's address must be known; empty when it need not. */
  Optional<String> reasonForAddress() {
    List<Clients> lists = new ArrayList<>(List.of(denied, allowed));
    overrides.forEach(override -> lists.add(override.clients()));
    if (lists.stream().anyMatch(Clients::needsAddress)) {
      return Optional.of("a list of the rule tells clients by their address");
    }
    return plans
        .filter(each -> each.tier() instanceof Tier.OfHeader)
        .map(each -> "the rule's tier believes a header of trusted proxies only");
  }

  /** Whether who is authenticated may take part, so that authentication has to come first. */
  boolean needsUser() {
    return plans
        .map(Plans::tier)
        .filter(tier -> tier instanceof Tier.OfRoles || tier instanceof Tier.OfFunction)
        .isPresent();
  }

  /** Whether the client of this request is refused. */
  boolean denies(RequestContext sighting) {
    return denied.hasAnything(sighting);
  }

  /** Which of the rule's limits hold for the client of this request; none when it is exempt. */
  List<NamedLimit> limits(Rule rule, RequestContext sighting, RuleEvents reports) {
    if (allowed.has(sighting)) {
      return List.of();
    }
    for (LimitOverride override : overrides) {
      if (override.clients().has(sighting)) {
        return override.limits();
      }
    }
    if (plans.isPresent()) {
      return plans.get().limits(sighting, reports);
    }
    return standard.isEmpty() ? rule.limits() : standard;
  }
}

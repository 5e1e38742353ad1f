package dev.weir.http;

import dev.weir.Concurrency;
import dev.weir.OnOutage;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which requests are counted, against whom, and at what price.
 *
 * <p>A request is charged once for each rule <em>object</em>: build a rule once and use that one
 * everywhere, for two rules with equal contents are still two rules.
 *
 * @param name what logs and metrics call it
 * @param match which requests it applies to; empty when it applies only where it is bound, as by an
 *     annotation
 * @param subject who is counted
 * @param limits all that it may charge, to whomever: at least one, each name once; none only in a
 *     rule that denies clients
 * @param cost what one request takes from each limit: at most the least capacity of them
 * @param onOutage what holds while the shared store cannot decide
 * @param handling what it does beside deciding
 * @param clients what holds for some clients and not for others
 */
public record Rule(
    String name,
    Optional<RequestMatcher> match,
    SubjectResolver subject,
    List<NamedLimit> limits,
    Cost cost,
    OnOutage onOutage,
    Handling handling,
    ClientPolicy clients) {

  /**
   * @throws IllegalArgumentException when the name is blank or a URI, there is no limit, one stands
   *     here twice, clients are given one that does not, the cost may be more than one of them
   *     grants, or it is bytes of a concurrency limit
   */
  public Rule {
    Expect.notBlank("name", name);
    Expect.noUri("name", name);
    Objects.requireNonNull(match, "match");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(cost, "cost");
    Objects.requireNonNull(onOutage, "onOutage");
    Objects.requireNonNull(handling, "handling");
    Objects.requireNonNull(clients, "clients");
    limits = List.copyOf(limits);
    validateLimits(limits, clients);
    validateDenied(clients, handling);
    validateCost(cost.most(), limits);
    validateBytes(cost, limits);
  }

  /**
   * A rule by which all requests cost the same, with the {@linkplain Handling#DEFAULT usual}
   * handling, for all clients.
   *
   * @throws IllegalArgumentException as the other does, and when the cost is not positive
   */
  public Rule(
      String name,
      Optional<RequestMatcher> match,
      SubjectResolver subject,
      List<NamedLimit> limits,
      long cost,
      OnOutage onOutage) {
    this(
        name,
        match,
        subject,
        limits,
        Cost.of(cost),
        onOutage,
        Handling.DEFAULT,
        ClientPolicy.SAME_FOR_ALL);
  }

  /** The same rule at this cost. */
  public Rule withCost(Cost cost) {
    return new Rule(name, match, subject, limits, cost, onOutage, handling, clients);
  }

  /** The same rule with this policy. */
  public Rule withClients(ClientPolicy clients) {
    return new Rule(name, match, subject, limits, cost, onOutage, handling, clients);
  }

  /** Why the client's address must be known to decide this rule; empty when it need not. */
  public Optional<String> reasonForAddress() {
    if (subject.needsAddress() && !limits.isEmpty()) {
      return Optional.of(
          "subject "
              + subject
              + " counts by the client's address, at least where the rest is missing");
    }
    return clients.reasonForAddress();
  }

  /** Whether who is authenticated may take part, so that authentication has to come first. */
  public boolean needsUser() {
    return subject.needsUser() || clients.needsUser();
  }

  /** The same rule with this handling; a rule of its own. */
  public Rule withHandling(Handling handling) {
    return new Rule(name, match, subject, limits, cost, onOutage, handling, clients);
  }

  /** What becomes of the requests that a rule denies, as far as others are concerned. */
  enum Kind {
    /** They are refused, be it after a wait. */
    REJECTING,
    /** They pass in another shape. */
    DEGRADING,
    /** They pass as if the rule were not there. */
    SHADOW;

    private static Kind of(OnDenial onDenial) {
      if (onDenial instanceof OnDenial.Shadow) {
        return SHADOW;
      }
      return onDenial instanceof OnDenial.Degrade ? DEGRADING : REJECTING;
    }
  }

  Kind kind() {
    return Kind.of(handling.onDenial());
  }

  boolean isShadow() {
    return kind() == Kind.SHADOW;
  }

  /** Whether it refuses what it denies, be it after a wait. */
  boolean rejects() {
    return rejects(handling);
  }

  private static boolean rejects(Handling handling) {
    return Kind.of(handling.onDenial()) == Kind.REJECTING;
  }

  /** The name alone: the rest says nothing that a reader of logs needs. */
  @Override
  public String toString() {
    return name;
  }

  private static void validateLimits(List<NamedLimit> limits, ClientPolicy clients) {
    if (limits.isEmpty() && clients.denied().isEmpty()) {
      throw Expect.failure("limits", limits, "at least one limit");
    }
    Set<String> names = new HashSet<>();
    for (NamedLimit limit : limits) {
      if (!names.add(limit.name())) {
        throw Expect.failure("limits", limit.name(), "each limit once");
      }
    }
    for (NamedLimit given : clients.limits()) {
      if (!limits.contains(given)) {
        throw Expect.failure("limits", limits, "'" + given.name() + "' too, which clients have");
      }
    }
  }

  /** Who is denied is refused: what only degrades, or only tries, refuses nobody. */
  private static void validateDenied(ClientPolicy clients, Handling handling) {
    if (!clients.denied().isEmpty() && !rejects(handling)) {
      throw Expect.failure(
          "on-denial", handling.onDenial(), "reject or delay, where clients are denied");
    }
  }

  private static void validateBytes(Cost cost, List<NamedLimit> limits) {
    for (NamedLimit limit : limits) {
      if (cost instanceof Cost.OfResponse && limit.limit() instanceof Concurrency) {
        throw Expect.failure(
            "limits",
            "'" + limit.name() + "', which is held",
            "only limits over a time, where the response's bytes are the cost; another rule may"
                + " hold that one");
      }
    }
  }

  private static void validateCost(long cost, List<NamedLimit> limits) {
    for (NamedLimit limit : limits) {
      if (cost > limit.limit().capacity()) {
        throw Expect.failure(
            "cost",
            cost,
            "at most "
                + limit.limit().capacity()
                + ", or limit '"
                + limit.name()
                + "' never grants it");
      }
    }
  }
}

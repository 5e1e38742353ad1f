package dev.weir.http;

import dev.weir.internal.Expect;
import dev.weir.store.OnOutage;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A rule: which requests are counted, for which subject, and at what cost.
 *
 * <p>A request is charged once for each rule <em>object</em>. Build a rule once and use that object
 * everywhere. Two rules with equal contents are still two rules.
 *
 * @param name the name in logs and metrics
 * @param match which requests it applies to; empty when it applies only where it is bound, as by an
 *     annotation
 * @param subject determines the subject that is counted
 * @param limits all limits that it may charge, for any client: at least one, each name once; none
 *     only in a rule that denies clients
 * @param cost what one request takes from each limit: at most the least capacity of them
 * @param onOutage what the rule does while the shared store cannot decide
 * @param handling what it does in addition to deciding
 * @param clients what applies to some clients and not to others
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
   * @throws IllegalArgumentException when the name is blank or a URI, there is no limit, or a limit
   *     occurs twice. Also when clients have a limit that the rule does not have, or when the cost
   *     may be more than a limit ever allows. Also when the cost is bytes and a limit is a
   *     concurrency limit
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
   * Creates a rule that charges every request the same cost, with the {@linkplain Handling#DEFAULT
   * default} handling, for all clients.
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

  /** Returns the same rule with this cost. */
  public Rule withCost(Cost cost) {
    return new Rule(name, match, subject, limits, cost, onOutage, handling, clients);
  }

  /** Returns the same rule with this policy. */
  public Rule withClients(ClientPolicy clients) {
    return new Rule(name, match, subject, limits, cost, onOutage, handling, clients);
  }

  /**
   * Returns why the client's address must be known to decide this rule. Empty when it need not be.
   */
  public Optional<String> reasonForAddress() {
    if (subject.needsAddress() && !limits.isEmpty()) {
      return Optional.of(
          "subject "
              + subject
              + " counts by the client's address, at least where the rest is missing");
    }
    return clients.reasonForAddress();
  }

  /**
   * Returns whether the rule may need the authenticated user, so that authentication must come
   * first.
   */
  public boolean needsUser() {
    return subject.needsUser() || clients.needsUser();
  }

  /** Returns the same rule with this handling. It is a separate rule. */
  public Rule withHandling(Handling handling) {
    return new Rule(name, match, subject, limits, cost, onOutage, handling, clients);
  }

  /** What happens to the requests that a rule denies, as far as other rules are concerned. */
  public enum Kind {
    /** They are rejected, at once or after a wait. */
    REJECTING,
    /** They pass in a degraded form. */
    DEGRADING,
    /** They pass as if the rule did not exist. */
    SHADOW;

    private static Kind of(OnDenial onDenial) {
      if (onDenial instanceof OnDenial.Shadow) {
        return SHADOW;
      }
      return onDenial instanceof OnDenial.Degrade ? DEGRADING : REJECTING;
    }
  }

  /** Returns what happens to the requests that the rule denies. */
  public Kind kind() {
    return Kind.of(handling.onDenial());
  }

  /** Returns whether the rule only observes, and rejects and degrades nothing. */
  public boolean isShadow() {
    return kind() == Kind.SHADOW;
  }

  /** Returns whether it rejects the requests that it denies, at once or after a wait. */
  public boolean rejects() {
    return rejects(handling);
  }

  private static boolean rejects(Handling handling) {
    return Kind.of(handling.onDenial()) == Kind.REJECTING;
  }

  /** Returns only the name, because readers of logs need nothing else. */
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

  /**
   * Checks that a rule with denied clients rejects. A rule that only degrades, or is only a shadow,
   * rejects no client.
   */
  private static void validateDenied(ClientPolicy clients, Handling handling) {
    if (!clients.denied().isEmpty() && !rejects(handling)) {
      throw Expect.failure(
          "on-denial", handling.onDenial(), "reject or delay, where clients are denied");
    }
  }

  private static void validateBytes(Cost cost, List<NamedLimit> limits) {
    for (NamedLimit limit : limits) {
      if (cost instanceof Cost.OfResponse && limit.limit().algorithm().isHeld()) {
        throw Expect.failure(
            "limits",
            "'" + limit.name() + "', which is held",
            "only limits over a time, where the response's bytes are the cost; another rule may"
                + " hold that one");
      }
    }
  }

  private static void validateCost(long cost, List<NamedLimit> limits) {
    Optional<NamedLimit> exceeded = NamedLimit.exceeded(limits, cost);
    if (exceeded.isPresent()) {
      NamedLimit limit = exceeded.get();
      throw Expect.failure(
          "cost",
          cost,
          "at most %d, or limit '%s' never grants it"
              .formatted(limit.limit().capacity(), limit.name()));
    }
  }
}

package dev.weir.http;

import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.schedule.Schedule;
import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.OnOutage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A rule: which requests are counted, for which subject, and at what cost. Immutable.
 *
 * <pre>{@code
 * Rule tenants =
 *     Rule.builder("tenants")
 *         .match("/api/**")
 *         .subject("header:X-Tenant")
 *         .limit("api", "20 per second, burst 40")
 *         .build();
 * }</pre>
 *
 * <p>A request is charged once for each rule <em>object</em>. Build a rule once and use that object
 * everywhere. Two rules with equal contents are still two rules.
 */
public final class Rule {

  private final String name;
  private final Optional<RequestMatcher> match;
  private final SubjectResolver subject;
  private final List<NamedLimit> limits;
  private final Cost cost;
  private final CountedResponses counted;
  private final OnDenial onDenial;
  private final OnOutage onOutage;
  private final ClientPolicy clients;
  final @Nullable Schedule when;
  private final Kind kind;
  private final List<NamedLimit> standard;
  private final boolean treatsClientsAlike;
  private final boolean isSettledAtEnd;
  final boolean bans; // a field, since each request reads it

  private Rule(Builder from) {
    name = from.name;
    match = from.matcher();
    subject = from.subject;
    limits = List.copyOf(from.limits);
    cost = from.cost;
    counted = from.counted;
    onDenial = from.onDenial;
    onOutage = from.onOutage;
    clients = from.clients;
    when = from.when;
    kind = Kind.of(onDenial);
    validate();
    standard = clients.standardOf(this);
    treatsClientsAlike = clients.isSameForAll();
    bans = onDenial.ban().isPresent();
    isSettledAtEnd =
        !counted.areAll()
            || cost instanceof Cost.OfResponse
            || limits.stream().anyMatch(limit -> limit.limit().algorithm().isHeld());
  }

  /**
   * Returns a builder of a rule that counts every request that it is bound to by its address, each
   * at a cost of one permit.
   *
   * @param name the name in logs and metrics
   * @throws IllegalArgumentException when the name is blank or a URI
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Returns a builder that has what this rule has. */
  public Builder toBuilder() {
    Builder builder = new Builder(name);
    match.ifPresent(builder::match);
    builder.limits.addAll(limits);
    builder.when = when;
    return builder
        .subject(subject)
        .cost(cost)
        .counted(counted)
        .onDenial(onDenial)
        .onOutage(onOutage)
        .clients(clients);
  }

  /** Returns the name in logs and metrics. */
  public String name() {
    return name;
  }

  /** Returns which requests it applies to. Empty when it applies only where it is bound. */
  public Optional<RequestMatcher> match() {
    return match;
  }

  /** Returns at which times it applies, as {@link Builder#when} takes them. None for always. */
  public List<String> when() {
    return when == null ? List.of() : when.texts();
  }

  /** Returns what determines the subject that is counted. */
  public SubjectResolver subject() {
    return subject;
  }

  /** Returns all limits that it may charge, for any client, each name once. */
  public List<NamedLimit> limits() {
    return limits;
  }

  /** Returns what one request takes from each limit. */
  public Cost cost() {
    return cost;
  }

  /**
   * Returns the responses that are charged. A request is charged before its response. It is
   * refunded if its response turns out not to be one of these.
   */
  public CountedResponses counted() {
    return counted;
  }

  /** Returns what happens to a request that is denied. */
  public OnDenial onDenial() {
    return onDenial;
  }

  /** Returns what the rule does while the shared store cannot decide. */
  public OnOutage onOutage() {
    return onOutage;
  }

  /** Returns what applies to some clients and not to others. */
  public ClientPolicy clients() {
    return clients;
  }

  /** Returns why the client's address must be known for this rule. Empty when it need not be. */
  public Optional<String> reasonForAddress() {
    if (subject.needsAddress() && !limits.isEmpty()) {
      return Optional.of(
          "subject "
              + subject
              + " counts by the client's address, at least where the rest is missing");
    }
    return clients.reasonForAddress();
  }

  /** Returns whether the rule may need the user, so that authentication must come first. */
  public boolean needsUser() {
    return subject.needsUser() || clients.needsUser();
  }

  /**
   * Returns the places where requests carry what clients are counted, listed or ranked by: {@code
   * header:NAME} in lower case, {@code query:NAME} and {@code cookie:NAME}. What stands there may
   * be a secret.
   */
  public Set<String> keyPlaces() {
    Set<String> places = new TreeSet<>(subject.keyPlaces());
    clients.keyPlaces().map(KeyPlace::kind).forEach(places::add);
    return places;
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
    return kind;
  }

  /** Returns whether the rule only observes, and rejects and degrades nothing. */
  public boolean isShadow() {
    return kind == Kind.SHADOW;
  }

  /**
   * Returns this rule as one that only observes. It decides together with other rules on trial, as
   * this one does without a trial: those that would reject are one decision, and so are those that
   * would degrade. It bans nothing, and no request waits for it. Returns this if it is a shadow.
   */
  public Rule asShadow() {
    return isShadow() ? this : toBuilder().onDenial(new OnDenial.Shadow(Optional.of(kind))).build();
  }

  /** Returns whether it rejects the requests that it denies, at once or after a wait. */
  public boolean rejects() {
    return kind == Kind.REJECTING;
  }

  /**
   * Returns whether the end of a response may change what the rule has charged, or releases permits
   * that it holds.
   */
  public boolean isSettledAtEnd() {
    return isSettledAtEnd;
  }

  /** Returns whether the client of this request is denied. */
  boolean denies(RequestContext context) {
    return !treatsClientsAlike && clients.denies(context);
  }

  /** Returns which limits apply to the client of this request. None when it is exempt. */
  List<NamedLimit> limitsOf(RequestContext context, RuleEvents events) {
    return treatsClientsAlike ? standard : clients.limits(this, context, events);
  }

  /** Returns whether the contents are equal. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Rule that && contents().equals(that.contents());
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  private List<Object> contents() {
    return List.of(
        name, match, when(), subject, limits, cost, counted, onDenial, onOutage, clients);
  }

  /** Returns only the name, because readers of logs need nothing else. */
  @Override
  public String toString() {
    return name;
  }

  private void validate() {
    subject.requireVariables(match);
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
    onDenial.ban().ifPresent(ban -> ban.validate(this));
    boolean isOnTrial = onDenial instanceof OnDenial.Shadow shadow && shadow.trial().isPresent();
    if (!clients.denied().isEmpty() && !rejects() && !isOnTrial) {
      throw Expect.failure("on-denial", onDenial, "reject or delay, where clients are denied");
    }
    for (NamedLimit limit : limits) {
      if (cost.most() > limit.limit().capacity()) {
        throw Expect.failure(
            "cost",
            cost.most(),
            "at most %d, or limit '%s' never grants it"
                .formatted(limit.limit().capacity(), limit.name()));
      }
      if (cost.isInBytes() && limit.limit().algorithm().isHeld()) {
        throw Expect.failure(
            "limits",
            "'" + limit.name() + "', which is held",
            "only limits over a time, where bytes are the cost; another rule may hold that one");
      }
    }
  }

  /** A builder of a {@link Rule}. Not thread-safe. */
  public static final class Builder {

    private final String name;
    private final List<String> match = new ArrayList<>();
    private final List<String> except = new ArrayList<>();
    private Optional<RequestMatcher> matcher = Optional.empty();
    private SubjectResolver subject = SubjectResolver.of("ip");
    private final List<NamedLimit> limits = new ArrayList<>();
    private int limitsInPlace;
    private Cost cost = Cost.ONE;
    private CountedResponses counted = CountedResponses.ALL;
    private OnDenial onDenial = OnDenial.REJECT;
    private OnOutage onOutage = OnOutage.LOCAL;
    private ClientPolicy clients = ClientPolicy.SAME_FOR_ALL;
    @Nullable Schedule when;

    private Builder(String name) {
      Expect.notBlank("name", name);
      Expect.noUri("name", name);
      this.name = name;
    }

    /**
     * Adds patterns, as {@link RequestMatcher#parse} reads them. The rule applies to a request that
     * matches any of them. Without any, it applies only where it is bound.
     */
    public Builder match(String... patterns) {
      match.addAll(List.of(patterns));
      return this;
    }

    /** Adds patterns of requests that the rule does not apply to. */
    public Builder except(String... patterns) {
      except.addAll(List.of(patterns));
      return this;
    }

    /** Applies it at these times alone, as in {@code Mon-Fri 07:00-19:00 Europe/Berlin}. */
    public Builder when(String... times) {
      when = times.length == 0 ? null : Schedule.parse(List.of(times));
      return this;
    }

    /** Sets the matcher, in place of patterns. */
    public Builder match(RequestMatcher other) {
      matcher = Optional.of(other);
      return this;
    }

    /** Counts by these parts together, as {@link SubjectResolver#parse} reads them. */
    public Builder subject(String... parts) {
      return subject(SubjectResolver.of(parts));
    }

    /**
     * Counts by what a function returns. A request for which it returns nothing, or throws, is
     * counted by its address. The function is thread-safe and quick: it runs before the request is
     * admitted. What a client can choose freely makes any number of buckets.
     *
     * @param kind of the subject in logs, such as {@code tenant}
     */
    public Builder subject(String kind, Function<RequestView, Optional<String>> function) {
      return subject(SubjectResolver.of(kind, function, SubjectResolver.Missing.IP));
    }

    /** Counts by this. */
    public Builder subject(SubjectResolver other) {
      subject = Objects.requireNonNull(other, "subject");
      return this;
    }

    /** Adds a limit in its one-line form, named as {@link #limit(Limit)} names it. */
    public Builder limit(String limit) {
      return limit(Limit.parse(limit));
    }

    /**
     * Adds a limit in place. As in a file, the first has the name of the rule, such as {@code
     * login}. Further ones are {@code login.2}, {@code login.3} and so on. {@link #build} refuses a
     * name that is taken, also by a limit of the rule that this builder copies.
     */
    public Builder limit(Limit limit) {
      limitsInPlace++;
      return limit(limitsInPlace == 1 ? name : name + "." + limitsInPlace, limit);
    }

    /**
     * Adds a limit in its one-line form, as {@link Limit#parse} reads it.
     *
     * @param limitName rules with limits of one name share their counters
     */
    public Builder limit(String limitName, String limit) {
      return limit(new NamedLimit(limitName, Limit.parse(limit)));
    }

    /** Adds a limit. */
    public Builder limit(String limitName, Limit limit) {
      return limit(new NamedLimit(limitName, limit));
    }

    /** Adds a limit. */
    public Builder limit(NamedLimit limit) {
      limits.add(Objects.requireNonNull(limit, "limit"));
      return this;
    }

    /** Adds limits. */
    public Builder limits(List<NamedLimit> more) {
      limits.addAll(more);
      return this;
    }

    /** Sets what one request takes from each limit. */
    public Builder cost(long permits) {
      return cost(Cost.of(permits));
    }

    /** Sets what one request takes from each limit. */
    public Builder cost(Cost other) {
      cost = Objects.requireNonNull(other, "cost");
      return this;
    }

    /** Charges only for these responses, as {@link CountedResponses#parse} reads them. */
    public Builder count(String... responses) {
      return counted(CountedResponses.parse(List.of(responses)));
    }

    /** Charges only for these responses. */
    public Builder counted(CountedResponses responses) {
      counted = Objects.requireNonNull(responses, "counted");
      return this;
    }

    /** Sets what happens to a request that is denied. */
    public Builder onDenial(OnDenial other) {
      onDenial = Objects.requireNonNull(other, "onDenial");
      return this;
    }

    /** Sets what the rule does while the shared store cannot decide. */
    public Builder onOutage(OnOutage other) {
      onOutage = Objects.requireNonNull(other, "onOutage");
      return this;
    }

    /** Sets what applies to some clients and not to others. */
    public Builder clients(ClientPolicy other) {
      clients = Objects.requireNonNull(other, "clients");
      return this;
    }

    /**
     * Returns the rule.
     *
     * @throws IllegalArgumentException when there is no limit, or a limit occurs twice. Also when
     *     clients have a limit that the rule does not have, or when the cost may be more than a
     *     limit ever allows. Also when the cost is bytes and a limit is a concurrency limit, when
     *     patterns are malformed, or there are patterns and a matcher
     */
    public Rule build() {
      return new Rule(this);
    }

    private Optional<RequestMatcher> matcher() {
      if (match.isEmpty() && except.isEmpty()) {
        return matcher;
      }
      if (matcher.isPresent()) {
        throw Expect.failure("match", match, "patterns or a matcher, and not both");
      }
      return Optional.of(RequestMatcher.parse(match, except, RequestMatcher.MatchOptions.DEFAULT));
    }
  }

  /**
   * A limit under the name by which rules use it. All rules that name it share one counter for each
   * subject.
   *
   * @param name as {@link Counter#validateName} allows; it appears in keys and in response fields
   */
  public record NamedLimit(String name, Limit limit) {

    /**
     * @throws IllegalArgumentException when a counter does not accept the name, or it is a URI
     */
    public NamedLimit {
      Objects.requireNonNull(limit, "limit");
      Counter.validateName(name);
      Expect.noUri("name", name);
    }

    /** Returns the first of these limits that never grants this many permits at once. */
    public static Optional<NamedLimit> exceeded(List<NamedLimit> limits, long permits) {
      return limits.stream().filter(limit -> permits > limit.limit().capacity()).findFirst();
    }
  }
}

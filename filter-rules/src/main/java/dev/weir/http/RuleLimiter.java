package dev.weir.http;

import dev.weir.http.OnDenial.Ban;
import dev.weir.http.internal.check.RuleChecks;
import dev.weir.http.internal.decide.Bans;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.decide.RuleStore;
import dev.weir.http.internal.decide.SubjectLimits;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.match.RuleIndex;
import dev.weir.http.internal.report.RequestTally;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.internal.response.SharedRetries;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.internal.Closing;
import dev.weir.internal.Expect;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.store.DigestTags;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import dev.weir.store.SubjectTags;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A limiter for requests by rules. Thread-safe. It has threads while requests hold permits or wait,
 * and must be closed. The owner of the store closes the store.
 *
 * <p>The rules that reject or delay are decided together, all or none. So are the rules that
 * degrade, in a decision of their own. Each shadow is decided separately.
 */
public final class RuleLimiter implements RequestLimiter, AutoCloseable {

  /**
   * The settings that all rules share.
   *
   * @param deadline the longest time of a decision, whatever the store does; more than zero
   * @param overload when the node sheds requests; empty when it serves every request
   * @param functions for the limits of these names, return the numbers of each subject
   * @param tags name subjects in access logs and reports
   */
  public record Settings(
      ClientAddress clientAddress,
      ResponseStyle style,
      Duration deadline,
      RuleListener listener,
      Optional<Overload> overload,
      Map<String, LimitFunction> functions,
      SubjectTags tags) {

    /** The peer's address, problem bodies, 100 ms, no listener, and every request is served. */
    public static final Settings DEFAULT =
        new Settings(
            ClientAddress.ofPeer(),
            ResponseStyle.DEFAULT,
            Duration.ofMillis(100),
            RuleListener.NONE,
            Optional.empty(),
            Map.of(),
            DigestTags.ofProcess());

    /**
     * @throws IllegalArgumentException when the deadline is not positive
     */
    public Settings {
      Objects.requireNonNull(clientAddress, "clientAddress");
      Objects.requireNonNull(style, "style");
      Objects.requireNonNull(listener, "listener");
      Objects.requireNonNull(overload, "overload");
      Objects.requireNonNull(tags, "tags");
      Expect.positive("deadline", deadline);
      functions = Map.copyOf(functions);
    }

    public Settings withClientAddress(ClientAddress clientAddress) {
      return new Settings(clientAddress, style, deadline, listener, overload, functions, tags);
    }

    public Settings withStyle(ResponseStyle style) {
      return new Settings(clientAddress, style, deadline, listener, overload, functions, tags);
    }

    public Settings withDeadline(Duration deadline) {
      return new Settings(clientAddress, style, deadline, listener, overload, functions, tags);
    }

    public Settings withListener(RuleListener listener) {
      return new Settings(clientAddress, style, deadline, listener, overload, functions, tags);
    }

    public Settings withOverload(Overload overload) {
      return new Settings(
          clientAddress, style, deadline, listener, Optional.of(overload), functions, tags);
    }

    public Settings withFunctions(Map<String, LimitFunction> functions) {
      return new Settings(clientAddress, style, deadline, listener, overload, functions, tags);
    }

    public Settings withTags(SubjectTags tags) {
      return new Settings(clientAddress, style, deadline, listener, overload, functions, tags);
    }
  }

  /**
   * How many requests are in the application of this node.
   *
   * @param inFlight how many there are
   * @param number how many there may be
   * @param shed how many were shed since the start
   * @param shadowShed how many would have been shed since the start, while the node only observed
   */
  public record InFlight(int inFlight, int number, long shed, long shadowShed) {}

  /** What a limiter shares with those that replace it: requests that wait or run stay counted. */
  record Node(
      LimitStore store,
      WaitQueues waitQueues,
      OverloadGate gate,
      Ticker ticker,
      SubjectLimits subjectLimits,
      RequestTally tally) {

    Node(LimitStore store, WaitQueues waitQueues, OverloadGate gate, Ticker ticker) {
      this(store, waitQueues, gate, ticker, SubjectLimits.of(ticker), new RequestTally(ticker));
    }
  }

  private final Node node;
  private final RuleIndex index;
  private final Set<Rule> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Optional<Overload> overload;
  private final Duration deadline;

  // what each RequestDecision uses, in this order; no admission where every request is served
  final ClientAddress clientAddress;
  final AddressWarnings addressWarnings;
  final Optional<Admission> admission;
  final ChargeResolver resolver;
  final RuleStore store;
  final RuleEvents events;
  final RequestTally tally;
  final SubjectTags tags;
  final Bans bans;
  final SharedRetries retries;
  final ResponseFields fields;

  /** Creates a limiter of this node. */
  RuleLimiter(List<Rule> rules, Settings settings, Node node) {
    RuleChecks.check(rules);
    this.node = node;
    this.index = new RuleIndex(rules);
    own.addAll(rules);
    this.overload = settings.overload();
    this.deadline = settings.deadline();
    this.tally = node.tally();
    this.events = new RuleEvents(settings.listener(), tally);
    this.tags = settings.tags();
    this.clientAddress = settings.clientAddress();
    this.addressWarnings = new AddressWarnings(clientAddress);
    this.admission = overload.map(followed -> new Admission(node.gate(), followed));
    this.resolver = new ChargeResolver(events, node.subjectLimits(), settings.functions());
    this.store =
        new RuleStore(node.store(), node.waitQueues(), settings.deadline(), events, node.ticker());
    this.bans =
        new Bans(
            node.store(), settings.deadline(), events, (delay, task) -> store.runIn(delay, task));
    this.retries = new SharedRetries(node.ticker());
    this.fields = new ResponseFields(settings.style());
  }

  /**
   * Returns a limiter.
   *
   * @param rules in order; those without a matcher are decided only where they are bound
   * @param store not closed by this
   * @throws IllegalArgumentException when two rules have one name, or one limit's name is used for
   *     two different limits. Also when a shadow charges a limit that a rule other than a shadow
   *     charges too
   */
  public static RuleLimiter of(List<Rule> rules, LimitStore store, Settings settings) {
    Objects.requireNonNull(store, "store");
    WaitQueues waitQueues =
        WaitQueues.of(PermitManager.of(store, settings.deadline(), settings.listener()));
    Ticker ticker = Ticker.system();
    Node node = new Node(store, waitQueues, new OverloadGate(ticker), ticker);
    RuleLimiter limiter = new RuleLimiter(rules, settings, node);
    limiter.takeEffect();
    return limiter;
  }

  /**
   * Returns a limiter by other rules and settings, which replaces this one. Both share the requests
   * that wait, hold permits or are in flight, and closing either closes both. The deadline of
   * renewals and the listener of lost permits stay those of the first. Until the other {@linkplain
   * #takeEffect takes effect}, nothing changes.
   *
   * @throws IllegalArgumentException as above
   */
  public RuleLimiter replacedBy(List<Rule> rules, Settings settings) {
    return new RuleLimiter(rules, settings, node);
  }

  /** Sheds by the settings of this limiter from now on, whichever limiter a request came by. */
  public void takeEffect() {
    node.gate().follow(overload);
  }

  /** Returns how many requests wait for their turn, and how many are being decided. */
  public int waiting() {
    return node.waitQueues().waiting();
  }

  /** Returns how many requests are in the application. Empty while every request is served. */
  public Optional<InFlight> inFlight() {
    return node.gate().stats();
  }

  /** Returns what became of the requests of this node, through all replacements. */
  public RequestCounts counts() {
    return tally.counts();
  }

  /**
   * Lifts the ban of a subject by a rule, and forgets the denials that were counted. Other nodes
   * let the subject pass within the time of their deny cache.
   *
   * @param values one for each part of the rule's subject, in order, such as the address; for
   *     {@code basic-user} the address and then the name
   * @throws IllegalArgumentException when the rule does not ban, or its subject has other parts
   * @throws StoreUnavailableException when the shared store does not respond; then the ban is
   *     lifted on this node alone, and holds again when the store responds
   */
  public void liftBan(Rule rule, List<String> values) throws StoreUnavailableException {
    Ban ban =
        rule.onDenial()
            .ban()
            .orElseThrow(() -> Expect.failure("rule", "'" + rule + "'", "a rule that bans"));
    @Nullable StoreUnavailableException failure = null;
    for (Subject subject : rule.subject().subjects(values, clientAddress)) {
      Adjustment reset = new Adjustment.Reset(ban.counter(rule.name(), subject));
      try {
        node.store().adjust(reset, Deadline.after(deadline));
      } catch (StoreUnavailableException gone) {
        failure = gone; // the others are lifted on this node all the same
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Denies all waiting requests, and renews no more permits. Idempotent. */
  @Override
  public void close() {
    Closing.all(
        List.of(node.waitQueues(), node.waitQueues().permitManager(), node.subjectLimits()));
  }

  @Override
  public Outcome limit(RequestView request) {
    return new RequestDecision(this, request, index.applying(request), List.of()).decide();
  }

  @Override
  public Outcome limitBeforeAuthentication(RequestView request) {
    List<MatchedRule> applying = index.applying(request);
    List<MatchedRule> ofUsers = MatchedRule.needingUser(applying);
    List<MatchedRule> awaitingUser =
        !ofUsers.isEmpty() && hasUser(request)
            ? ofUsers.stream().filter(one -> !one.rule().subject().attributes().isEmpty()).toList()
            : ofUsers;
    return new RequestDecision(this, request, applying, awaitingUser).decide();
  }

  @Override
  public Outcome limitAfterAuthentication(RequestView request) {
    List<MatchedRule> all = RequestMemo.of(request).waiting();
    List<MatchedRule> waiting =
        all.isEmpty() ? all : all.stream().filter(one -> own.contains(one.rule())).toList();
    return new RequestDecision(this, request, waiting, List.of()).decide();
  }

  @Override
  public Outcome limit(RequestView request, List<Rule> bound) {
    return new RequestDecision(this, request, MatchedRule.bound(bound), List.of()).decide();
  }

  private boolean hasUser(RequestView request) {
    try {
      return request.principal().isPresent();
    } catch (RuntimeException e) {
      events.failed("the user is not known before authentication", e);
      return false;
    }
  }
}

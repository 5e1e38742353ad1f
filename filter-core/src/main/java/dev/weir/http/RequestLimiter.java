package dev.weir.http;

import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.LimiterListener;
import dev.weir.PermitManager;
import dev.weir.Ticker;
import dev.weir.WaitQueues;
import dev.weir.internal.Expect;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A limiter for requests. It takes a request and returns the outcome that an adapter renders.
 * Thread-safe.
 *
 * <p>All rules that apply are decided together, all or none. Each rule charges a request once,
 * however many dispatches and adapters call this limiter for it. Nothing that a client sends and no
 * outage makes these methods throw.
 */
public final class RequestLimiter {

  /**
   * The attribute of a request that must be served something cheaper. Its value is the name of the
   * rule that degrades the request. In JAX-RS it is a property of the request context.
   */
  public static final String DEGRADED = "dev.weir.degraded";

  /**
   * The settings that all rules share.
   *
   * @param deadline the longest time of a decision, whatever the store does; more than zero
   */
  public record Settings(
      ClientAddress clientAddress, ResponseStyle style, Duration deadline, RuleListener listener) {

    /** The peer's address, problem bodies, 100 ms, and no listener. */
    public static final Settings DEFAULT =
        new Settings(
            ClientAddress.ofPeer(),
            ResponseStyle.DEFAULT,
            Duration.ofMillis(100),
            RuleListener.NONE);

    /**
     * @throws IllegalArgumentException when the deadline is not positive
     */
    public Settings {
      Objects.requireNonNull(clientAddress, "clientAddress");
      Objects.requireNonNull(style, "style");
      Objects.requireNonNull(listener, "listener");
      if (deadline.isNegative() || deadline.isZero()) {
        throw Expect.failure("deadline", deadline, "> 0");
      }
    }

    public Settings withClientAddress(ClientAddress clientAddress) {
      return new Settings(clientAddress, style, deadline, listener);
    }

    public Settings withStyle(ResponseStyle style) {
      return new Settings(clientAddress, style, deadline, listener);
    }

    public Settings withDeadline(Duration deadline) {
      return new Settings(clientAddress, style, deadline, listener);
    }

    public Settings withListener(RuleListener listener) {
      return new Settings(clientAddress, style, deadline, listener);
    }
  }

  private final RuleIndex index;
  private final Set<Rule> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private final RuleDecider decider;
  private final ClientAddress clientAddress;
  private final ResponseFields fields;
  private final SharedRetries retries;
  private final RuleEvents events;
  private final Entrance entrance;

  /**
   * Creates a limiter with threads of its own. They keep the permits of running requests, and let
   * requests wait. The threads exist only while a request needs them.
   *
   * @param rules in order; those without a matcher are decided only where they are bound
   * @param store not closed by this
   * @throws IllegalArgumentException when two rules have one name, or one limit's name is used for
   *     two different limits. Also when a shadow charges a limit that a rule other than a shadow
   *     charges too
   */
  public RequestLimiter(List<Rule> rules, LimitStore store, Settings settings) {
    this(
        rules,
        store,
        new WaitQueues(new PermitManager(store, settings.deadline(), LimiterListener.NONE)),
        settings);
  }

  /**
   * Creates a limiter that uses the threads of these wait queues.
   *
   * @param waitQueues over the same store; not closed by this
   * @throws IllegalArgumentException as above
   */
  public RequestLimiter(
      List<Rule> rules, LimitStore store, WaitQueues waitQueues, Settings settings) {
    this(rules, store, waitQueues, settings, Admission.ofAll());
  }

  /**
   * Creates a limiter that admits no more requests at once than the gate of this admission control.
   *
   * @throws IllegalArgumentException as above
   */
  public RequestLimiter(
      List<Rule> rules,
      LimitStore store,
      WaitQueues waitQueues,
      Settings settings,
      Admission admission) {
    this(rules, store, waitQueues, settings, admission, Ticker.system());
  }

  /** Creates a limiter with this ticker. */
  RequestLimiter(
      List<Rule> rules,
      LimitStore store,
      WaitQueues waitQueues,
      Settings settings,
      Admission admission,
      Ticker ticker) {
    RuleChecks.check(rules);
    Objects.requireNonNull(admission, "admission");
    this.index = new RuleIndex(rules);
    own.addAll(rules);
    this.clientAddress = settings.clientAddress();
    this.fields = new ResponseFields(settings.style());
    this.retries = new SharedRetries(ticker);
    this.events = new RuleEvents(settings.listener());
    this.entrance = new Entrance(admission, fields, events);
    this.decider = new RuleDecider(store, waitQueues, settings.deadline(), events);
  }

  /** Decides the rules that match this request and were not decided for it before. */
  public Outcome limit(RequestView request) {
    List<MatchedRule> applying = index.applying(request);
    return entrance.admitted(request, applying, () -> decide(request, applying));
  }

  /**
   * Decides as {@link #limit(RequestView)} does, when the user may not be authenticated yet. While
   * no user is authenticated, rules that count users wait for {@link #limitAfterAuthentication}.
   * May be called again when the path of a request has changed.
   */
  public Outcome limitBeforeAuthentication(RequestView request) {
    List<MatchedRule> applying = index.applying(request);
    return entrance.admitted(
        request, applying, () -> decideBeforeAuthentication(request, applying));
  }

  private Outcome decideBeforeAuthentication(RequestView request, List<MatchedRule> applying) {
    if (!anyNeedsUser(applying) || hasUser(request)) {
      return decide(request, applying);
    }
    List<MatchedRule> ofUsers = applying.stream().filter(one -> one.rule().needsUser()).toList();
    RequestState.of(request).awaitingUser(ofUsers).keepOn(request);
    return decide(request, applying.stream().filter(one -> !one.rule().needsUser()).toList());
  }

  private static boolean anyNeedsUser(List<MatchedRule> applying) {
    for (MatchedRule one : applying) {
      if (one.rule().needsUser()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Decides the rules that have waited for the user. It decides them without a user too, for
   * example by the address.
   */
  public Outcome limitAfterAuthentication(RequestView request) {
    List<MatchedRule> all = RequestState.of(request).waiting();
    List<MatchedRule> waiting =
        all.isEmpty() ? all : all.stream().filter(one -> own.contains(one.rule())).toList();
    return entrance.again(request, () -> decide(request, waiting));
  }

  /**
   * Decides the rules that are bound to the target that the request was routed to. Rules that were
   * decided for the request before are skipped.
   *
   * @param bound each the same object for all requests; no other rule may define its limits with
   *     other numbers
   */
  public Outcome limit(RequestView request, List<Rule> bound) {
    List<MatchedRule> applying = bound.stream().map(MatchedRule::bound).toList();
    return entrance.admitted(request, applying, () -> decide(request, applying));
  }

  private Outcome decide(RequestView request, List<MatchedRule> applying) {
    if (applying.isEmpty()) {
      return Outcome.Passed.SILENTLY;
    }
    RequestState before = RequestState.of(request);
    List<MatchedRule> due = before.due(applying, request);
    if (due.isEmpty()) {
      return fields.passed(before.verdicts());
    }
    RequestContext context = new RequestContext(request, clientAddress);
    StoreTime time = decider.time();
    PendingDecision pending = decider.ask(due, context, time, () -> entrance.leave(request));
    if (pending instanceof PendingDecision.Deferred later) {
      return later(later, applying, due, context, time);
    }
    Optional<RuleDecision> answered = ((PendingDecision.Immediate) pending).answered();
    return answered.isPresent() && answered.get().hasWaited()
        ? run(answered.get(), applying, due, context)
        : outcome(answered, due, context, time);
  }

  /** Returns the outcome at once if the request does not have to wait. */
  private Outcome later(
      PendingDecision.Deferred pending,
      List<MatchedRule> applying,
      List<MatchedRule> due,
      RequestContext context,
      StoreTime time) {
    if (pending.answered().isDone()) {
      return outcome(Optional.of(pending.answered().join()), due, context, time);
    }
    return new Delayed(
        pending.place(),
        pending.answered().thenApply(answered -> runLater(answered, applying, due, context)),
        pending.maxWait().plus(decider.longestCalls()),
        fields.rejected(Decision.closed(RuleDecider.SOON), List.of()));
  }

  /**
   * Runs a request after its wait. If the container has ended the request meanwhile, its state may
   * be gone. Then the request does not run, and the decision is undone.
   */
  private Outcome runLater(
      RuleDecision answered,
      List<MatchedRule> applying,
      List<MatchedRule> due,
      RequestContext context) {
    try {
      return run(answered, applying, due, context);
    } catch (RuntimeException gone) {
      decider.undo(answered);
      throw gone;
    }
  }

  /**
   * Runs a request after its wait. During the wait it was not in the application, so it must be
   * admitted again. The decisions that are made when it runs have a new deadline, because the first
   * deadline has long passed.
   */
  private Outcome run(
      RuleDecision answered,
      List<MatchedRule> applying,
      List<MatchedRule> due,
      RequestContext context) {
    RequestView request = context.request();
    Supplier<Outcome> decision = () -> outcome(Optional.of(answered), due, context, decider.time());
    return answered.allowed()
        ? entrance.admittedAgain(request, applying, decision, () -> decider.undo(answered))
        : decision.get();
  }

  private Outcome outcome(
      Optional<RuleDecision> rejecting,
      List<MatchedRule> due,
      RequestContext context,
      StoreTime time) {
    RequestView request = context.request();
    RuleDecisions decisions = decider.rule(due, context, rejecting, time);
    for (RuleDecision answered : decisions.all()) {
      events.decided(answered);
    }
    RequestState now = RequestState.of(request).after(due, decisions);
    now.keepOn(request);
    return decisions.allowed()
        ? passed(decisions, now, request)
        : rejected(decisions, now, context);
  }

  private Outcome passed(RuleDecisions decisions, RequestState now, RequestView request) {
    Optional<Completion> completion =
        Completion.handedOut(decider.afterwards(decisions), now, request);
    Outcome.Passed passed = fields.passed(now.verdicts()).endingWith(completion);
    Optional<Rule> degradedBy = decisions.degradedBy();
    if (degradedBy.isEmpty()) {
      return passed;
    }
    request.attribute(DEGRADED, degradedBy.get().name());
    return degradedBy.flatMap(RequestLimiter::path).map(passed::towards).orElse(passed);
  }

  /**
   * Returns the rejection. Only shadows have charged the request. A shadow that does not count
   * responses with the status of the rejection refunds its charge.
   */
  private Outcome rejected(RuleDecisions decisions, RequestState now, RequestContext context) {
    Decision decision = retries.spread(decisions.rejecting().orElseThrow(), () -> client(context));
    Outcome.Rejected rejected = fields.rejected(decision, now.verdicts());
    Ended ended = Ended.rejected(rejected.status());
    decider.afterwards(decisions).forEach(next -> next.ended(ended));
    return rejected;
  }

  private static Optional<String> path(Rule rule) {
    return rule.handling().onDenial() instanceof OnDenial.Degrade degrade
        ? degrade.path()
        : Optional.empty();
  }

  private String client(RequestContext context) {
    try {
      return context.ip();
    } catch (RuntimeException e) {
      events.failed("the client's address is not known", e);
      return "";
    }
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

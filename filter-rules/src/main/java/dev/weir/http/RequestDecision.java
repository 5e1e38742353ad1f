package dev.weir.http;

import dev.weir.http.ChargeResolver.Charged;
import dev.weir.http.ChargeResolver.Decided;
import dev.weir.http.ChargeResolver.Resolution;
import dev.weir.http.Outcome.Delayed;
import dev.weir.http.internal.decide.Patience;
import dev.weir.http.internal.decide.PendingDecision;
import dev.weir.http.internal.decide.RuleCharges;
import dev.weir.http.internal.decide.RuleDecider;
import dev.weir.http.internal.decide.RuleDecision;
import dev.weir.http.internal.decide.RuleDecisions;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.decide.Settlement;
import dev.weir.http.internal.decide.Settlement.Ended;
import dev.weir.http.internal.decide.StoreTime;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.internal.response.SharedRetries;
import dev.weir.internal.wait.WaiterLimit;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One request on its way through a limiter.
 *
 * <pre>
 * match → admit → resolve subjects and costs → decide → render
 * </pre>
 *
 * <p>Rules that reject are one decision, all or none. Rules that delay are part of it. If only
 * these deny, the request waits until the whole decision can be allowed. Rules that degrade are a
 * second decision, because a request that they deny is still served and charged by the first
 * decision. They are all or none too, because what one of them degrades does not count for the
 * others. They do not decide about a rejected request. Each shadow is a separate decision, on which
 * nothing depends.
 *
 * <p>A request that waits is outside of the application meanwhile. It releases its ticket, and it
 * must be admitted again before it runs. Used by one thread at a time.
 */
final class RequestDecision {

  /**
   * The steps that all requests of one limiter take, in this order.
   *
   * @param clientAddress finds the client
   * @param addressWarnings warns when it does not
   * @param admission admits a request that the node has room for
   * @param resolver resolves what the rules charge
   * @param decider decides by the store
   * @param retries spreads the retries of denied clients
   * @param fields renders the decision
   * @param events reports what happens on the way
   */
  record Steps(
      ClientAddress clientAddress,
      AddressWarnings addressWarnings,
      Admission admission,
      ChargeResolver resolver,
      RuleDecider decider,
      SharedRetries retries,
      ResponseFields fields,
      RuleEvents events) {}

  private final Steps steps;
  private final RequestView request;
  private final RequestContext context;
  private final List<MatchedRule> applying;
  private final List<MatchedRule> awaitingUser;
  private final RequestState before;
  private final List<MatchedRule> due;

  /** The decisions of this, to undo them if the request does not run. */
  private List<RuleDecision> made = List.of();

  /** Creates the decision of all these rules. */
  RequestDecision(Steps steps, RequestView request, List<MatchedRule> applying) {
    this(steps, request, applying, List.of());
  }

  /**
   * Creates the decision of some of the rules that match.
   *
   * @param applying all rules that match the request
   * @param awaitingUser those of them that are decided as soon as the user is known
   */
  RequestDecision(
      Steps steps,
      RequestView request,
      List<MatchedRule> applying,
      List<MatchedRule> awaitingUser) {
    this.steps = steps;
    this.request = request;
    this.context = new RequestContext(request, steps.clientAddress(), steps.addressWarnings());
    this.applying = applying;
    this.awaitingUser = awaitingUser;
    this.before = RequestState.of(request);
    this.due = before.due(without(awaitingUser, applying), context);
  }

  private static List<MatchedRule> without(List<MatchedRule> some, List<MatchedRule> all) {
    return some.isEmpty() ? all : all.stream().filter(one -> !some.contains(one)).toList();
  }

  /**
   * Decides about the request if the node has room for it. A shed request is charged nothing more:
   * only what an earlier dispatch was charged stays charged. A request that the gate has already
   * decided about does not pass it again, unless it has left to wait.
   */
  Outcome outcome() {
    if (before.denied() || !steps.admission().isDue(request)) {
      return again();
    }
    Optional<Ticket> ticket = steps.admission().admit(request, applying);
    return ticket.isEmpty()
        ? shed()
        : entered(ticket.get(), decided(ticket.get(), Optional.empty()));
  }

  /**
   * Decides about a request that was admitted before. The time of this decision is not the
   * application's latency.
   */
  Outcome again() {
    Optional<Ticket> ticket = steps.admission().ticketOf(request);
    return ticket.isPresent() ? decided(ticket.get(), Optional.empty()) : decision();
  }

  /** Returns the rejection. The error page of a shed request is neither charged nor denied. */
  private Outcome shed() {
    RequestState.of(request).shed().keepOn(request);
    steps.events().shed();
    return steps.fields().shed();
  }

  /**
   * Decides, or finishes what was decided after a wait. Reports to the ticket, whatever happens.
   */
  private Outcome decided(Ticket ticket, Optional<RuleDecision> waited) {
    try {
      Outcome outcome = waited.isPresent() ? finished(waited.get()) : decision();
      ticket.decided(outcome);
      return outcome;
    } catch (RuntimeException | Error e) {
      ticket.leave();
      throw e;
    }
  }

  /** Returns the outcome, at whose end the ticket ends too. */
  private Outcome entered(Ticket ticket, Outcome outcome) {
    return ticket.hasLeft()
        ? outcome
        : outcome.endingWith(
            Completion.releasing(ticket, RequestState.of(request), request, steps.decider()));
  }

  private Outcome decision() {
    RequestState state = before;
    if (!awaitingUser.isEmpty()) {
      state = before.awaitingUser(awaitingUser);
      state.keepOn(request);
    }
    if (due.isEmpty()) {
      return applying.size() == awaitingUser.size()
          ? Outcome.Passed.SILENTLY
          : steps.fields().passed(before.verdicts());
    }
    StoreTime time = steps.decider().time(due.size());
    List<MatchedRule> rejecting = MatchedRule.those(Rule.Kind.REJECTING, due);
    if (rejecting.isEmpty()) {
      return finished(Optional.empty(), state, time);
    }
    Resolution resolution = steps.resolver().resolve(rejecting, context);
    return resolution instanceof Charged ask && ask.patience().isPresent()
        ? queued(ask.charged(), ask.patience().get(), state, time)
        : finished(Optional.of(decide(resolution, time)), state, time);
  }

  /**
   * Returns whether the request waits without its thread. It does not if the cost of any rule is
   * the bytes of the response. A dispatch does not pass through the code that counts these bytes.
   */
  private boolean waitsAside() {
    return request.canWaitAside()
        && due.stream().noneMatch(one -> one.rule().cost() instanceof Cost.OfResponse);
  }

  private Outcome queued(
      List<RuleCharges> charged, Patience patience, RequestState state, StoreTime time) {
    boolean isAside = waitsAside();
    WaiterLimit places = isAside ? steps.decider().places() : PendingDecision.THREADS;
    PendingDecision pending = steps.decider().queue(charged, patience, time, places);
    if (pending.answered().isDone()) {
      return finished(Optional.of(pending.await()), state, time);
    }
    steps.admission().leave(request); // first: its turn may come on another thread from now on
    if (isAside) {
      return new Delayed(
          pending.place(),
          pending.answered().thenApply(this::runLater),
          pending.maxWait().plus(steps.decider().longestCalls()),
          steps.fields().rejected(Decision.closed(RuleDecision.SOON), List.of()));
    }
    return run(pending.await());
  }

  /**
   * Runs a request after its wait. If the container has ended the request meanwhile, its state may
   * be gone. Then the request does not run, and its decisions are undone.
   */
  private Outcome runLater(RuleDecision answered) {
    try {
      return run(answered);
    } catch (RuntimeException gone) {
      List<RuleDecision> all = made.isEmpty() ? List.of(answered) : made;
      all.forEach(steps.decider()::undo);
      throw gone;
    }
  }

  /** Runs a request after its wait, if the node still has room for it. */
  private Outcome run(RuleDecision answered) {
    if (!answered.allowed() || !steps.admission().wasDue(request)) {
      return finished(answered);
    }
    Optional<Ticket> ticket = steps.admission().admit(request, applying);
    if (ticket.isEmpty()) {
      Outcome shed = shed();
      steps.decider().undo(answered); // last, because it must not be made twice
      return shed;
    }
    return entered(ticket.get(), decided(ticket.get(), Optional.of(answered)));
  }

  /**
   * Decides the other rules after a wait. They have a new deadline, because the first one has long
   * passed. Reads the state first: nothing more is charged where the container has dropped it.
   */
  private Outcome finished(RuleDecision answered) {
    int others = due.size() - answered.rules().size();
    return finished(Optional.of(answered), RequestState.of(request), steps.decider().time(others));
  }

  /** Decides the other rules, and renders the outcome. */
  private Outcome finished(Optional<RuleDecision> rejecting, RequestState state, StoreTime time) {
    boolean allowed = rejecting.isEmpty() || rejecting.get().allowed();
    RuleDecisions decisions =
        new RuleDecisions(rejecting, allowed ? degrading(time) : Optional.empty(), shadows(time));
    List<RuleDecision> all = decisions.all();
    made = all;
    for (int i = 0; i < all.size(); i++) {
      steps.events().decided(all.get(i));
    }
    RequestState now = state.after(due, decisions);
    now.keepOn(request);
    List<Settlement> settlements = steps.decider().settlements(all);
    return allowed ? passed(decisions, now, settlements) : rejected(decisions, now, settlements);
  }

  private Optional<RuleDecision> degrading(StoreTime time) {
    List<MatchedRule> degrading = MatchedRule.those(Rule.Kind.DEGRADING, due);
    return degrading.isEmpty() ? Optional.empty() : Optional.of(decide(degrading, time));
  }

  private List<RuleDecision> shadows(StoreTime time) {
    List<MatchedRule> shadows = MatchedRule.those(Rule.Kind.SHADOW, due);
    if (shadows.isEmpty()) {
      return List.of();
    }
    List<RuleDecision> answers = new ArrayList<>(shadows.size());
    for (MatchedRule shadow : shadows) {
      answers.add(decide(List.of(shadow), time));
    }
    return answers;
  }

  /** Decides rules that neither reject nor delay. The request never waits for them. */
  private RuleDecision decide(List<MatchedRule> rules, StoreTime time) {
    time.end();
    return decide(steps.resolver().resolve(rules, context), time);
  }

  private RuleDecision decide(Resolution resolution, StoreTime time) {
    return resolution instanceof Decided decided
        ? decided.decision()
        : steps.decider().decide(((Charged) resolution).charged(), time);
  }

  private Outcome passed(RuleDecisions decisions, RequestState now, List<Settlement> settlements) {
    Optional<Rule> degradedBy = decisions.degradedBy();
    if (degradedBy.isPresent()) {
      request.attribute(RequestLimiter.DEGRADED, degradedBy.get().name());
    }
    Optional<Completion> completion =
        Completion.settling(settlements, now, request, steps.decider());
    Outcome.Passed passed = steps.fields().passed(now.verdicts()).endingWith(completion);
    return degradedBy.isEmpty() ? passed : diverted(degradedBy.get(), passed);
  }

  private static Outcome diverted(Rule by, Outcome.Passed passed) {
    Optional<String> path = path(by);
    return path.isEmpty() ? passed : passed.towards(path.get());
  }

  private static Optional<String> path(Rule rule) {
    return rule.handling().onDenial() instanceof OnDenial.Degrade degrade
        ? degrade.path()
        : Optional.empty();
  }

  /**
   * Returns the rejection. Only shadows have charged the request. A shadow that does not count
   * responses with the status of the rejection refunds its charge. The body of the rejection is not
   * charged.
   */
  private Outcome rejected(
      RuleDecisions decisions, RequestState now, List<Settlement> settlements) {
    RuleDecision denied = decisions.rejecting().orElseThrow();
    Outcome.Rejected rejected =
        denied.decision().isEmpty()
            ? steps.fields().forbidden()
            : steps.fields().rejected(spread(denied, denied.decision().get()), now.verdicts());
    Ended unsent = new Ended(OptionalInt.of(rejected.status()), 0);
    settlements.forEach(settlement -> settlement.ended(unsent));
    return rejected;
  }

  /** Spreads the retries of clients that one shared counter denies. */
  private Decision spread(RuleDecision denied, Decision decision) {
    if (!(decision instanceof Decision.Counted counted)) {
      return decision;
    }
    Counter binding = counted.binding().counter();
    return SubjectPart.isShared(binding.subject())
        ? steps.retries().spread(counted, denied.permitsOf(binding), client())
        : counted;
  }

  private String client() {
    try {
      return context.ip();
    } catch (RuntimeException e) {
      steps.events().failed("the client's address is not known", e);
      return "";
    }
  }
}

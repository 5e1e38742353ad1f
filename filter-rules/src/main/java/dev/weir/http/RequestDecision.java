package dev.weir.http;

import static dev.weir.http.RequestMemo.joined;

import dev.weir.http.internal.decide.JointDecision;
import dev.weir.http.internal.decide.QueuedDecision;
import dev.weir.http.internal.decide.Resolution;
import dev.weir.http.internal.decide.Settlement;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.report.Denial;
import dev.weir.http.spi.Completion.Response;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.internal.wait.WaiterLimit;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through a limiter.
 *
 * <pre>
 * admit → resolve → reject → degrade → shadows → remember → render, or settle at the end
 * </pre>
 *
 * <p>Rules that reject are one decision, all or none. Rules that delay are part of it. If only
 * these deny, the request waits until the whole decision can be allowed. Rules that degrade are a
 * second decision, because a request that they deny is still served and charged by the first
 * decision. They are all or none too, because what one of them degrades does not count for the
 * others. They do not decide about a rejected request. Each shadow is a separate decision, on which
 * nothing depends.
 *
 * <p>Where all rules are on trial, they decide in the same two steps, as shadows.
 *
 * <p>A request that waits is outside of the application meanwhile. It releases its ticket, and it
 * must be admitted again before it runs. Used by one thread at a time.
 */
final class RequestDecision {

  private final RuleLimiter limiter;
  private final RequestView request;
  private final RequestContext context;
  private final List<MatchedRule> applying;
  private final List<MatchedRule> awaitingUser;
  private final RequestMemo before;
  private final List<MatchedRule> due;

  /** What is decided after the rules that reject. Resolved before them. */
  private @Nullable Resolution degrading;

  private List<Resolution> shadows = List.of();

  /** Where all rules are on trial: those that would reject, and then those that would degrade. */
  private List<Resolution> trial = List.of();

  /**
   * Creates the decision of some of the rules that match.
   *
   * @param applying all rules that match the request
   * @param awaitingUser those of them that are decided as soon as the user is known
   */
  RequestDecision(
      RuleLimiter limiter,
      RequestView request,
      List<MatchedRule> applying,
      List<MatchedRule> awaitingUser) {
    this.limiter = limiter;
    this.request = request;
    this.context = new RequestContext(request, limiter.clientAddress, limiter.addressWarnings);
    this.applying = applying;
    this.awaitingUser = awaitingUser;
    this.before = RequestMemo.of(request);
    List<MatchedRule> now =
        awaitingUser.isEmpty()
            ? applying
            : applying.stream().filter(one -> !awaitingUser.contains(one)).toList();
    this.due = before.due(now, context);
  }

  /** Decides about the request, or lets it wait for its turn. */
  Outcome decide() {
    // The page of what was denied is a part of its answer, and needs no place.
    if (before.isDenied()) {
      return Outcome.Passed.SILENTLY;
    }
    // Admit: what was let in keeps its place.
    Optional<Ticket> ticket = Optional.empty();
    if (limiter.admission.isPresent()) {
      Admission gate = limiter.admission.get();
      boolean enters = gate.isDue(request);
      ticket = enters ? gate.admit(request, applying) : gate.ticketOf(request);
      if (enters && ticket.isEmpty()) {
        return shed();
      }
      if (ticket.isPresent() && ticket.get().isExtra()) {
        Denial.keepShadowShedOn(request);
      }
    }
    try {
      RequestMemo memo = before;
      if (!awaitingUser.isEmpty()) {
        memo = before.awaitingUser(awaitingUser);
        memo.keepOn(request);
      }
      if (due.isEmpty()) {
        boolean isSilent = applying.size() == awaitingUser.size();
        return passed(isSilent ? List.of() : before.verdicts(), List.of(), memo, ticket);
      }

      // Resolve: whom each rule counts, and what it charges. Users' functions have run then, so
      // that a slow one does not look like a slow store.
      List<MatchedRule> rejecting = MatchedRule.those(Rule.Kind.REJECTING, due);
      Resolution charges = resolved(rejecting);
      if (rejecting.size() < due.size()) {
        degrading = resolved(MatchedRule.those(Rule.Kind.DEGRADING, due));
        shadows =
            MatchedRule.alone(due).stream()
                .map(shadow -> limiter.resolver.resolve(List.of(shadow), context))
                .toList();
        trial =
            Stream.of(Rule.Kind.REJECTING, Rule.Kind.DEGRADING)
                .flatMap(kind -> Stream.ofNullable(resolved(MatchedRule.onTrial(kind, due))))
                .toList();
      }

      // Reject: all of these rules or none. If only those deny that delay, it waits for its turn.
      Deadline deadline = limiter.store.deadline(charges == null ? others() : 1 + others());
      if (charges != null && charges.patience().isPresent()) {
        return queue(charges, memo, deadline, ticket);
      }
      JointDecision decision = charges == null ? null : limiter.store.decide(charges, deadline);
      return conclude(decision, memo, deadline, ticket);
    } catch (RuntimeException | Error e) {
      ticket.ifPresent(Ticket::leave);
      throw e;
    }
  }

  /** Goes on when the rules that reject have decided, if there are any. */
  private Outcome conclude(
      @Nullable JointDecision decided,
      RequestMemo memo,
      Deadline deadline,
      Optional<Ticket> ticket) {
    JointDecision rejecting =
        decided != null && context.hasBans ? decided.withoutIdleBans() : decided;
    List<JointDecision> decisions = rejecting == null ? List.of() : List.of(rejecting);
    decisions = others() == 0 ? decisions : new ArrayList<>(decisions); // those below are added
    JointDecision denied = rejecting == null || rejecting.allowed() ? null : rejecting;
    Optional<Rule> bannedBy =
        denied != null && context.hasBans ? denied.banning() : Optional.empty();
    List<Verdict> reported =
        rejecting == null || bannedBy.isPresent() ? List.of() : rejecting.verdicts();
    try {
      RequestCounts.Outcome outcome =
          denied == null ? RequestCounts.Outcome.ALLOWED : outcome(denied, bannedBy);

      // Degrade: these rules do not decide about a request that is rejected.
      Optional<Rule> degradedBy = Optional.empty();
      if (denied == null && degrading != null) {
        JointDecision decision = limiter.store.decide(degrading, deadline);
        decisions.add(decision);
        reported = joined(reported, decision.verdicts());
        if (!decision.allowed()) {
          degradedBy = Optional.of(decision.denying());
          outcome = RequestCounts.Outcome.DEGRADED;
        }
      }

      // Shadows: each alone, and nothing depends on them. Clients are not told their states.
      for (Resolution shadow : shadows) {
        decisions.add(limiter.store.decide(shadow, deadline));
      }

      // Trial: a step decides only about what the one before it would let pass.
      boolean passes = true;
      for (Resolution step : trial) {
        if (passes) {
          JointDecision decision = limiter.store.decide(step, deadline);
          decisions.add(decision);
          passes = decision.allowed();
        }
      }
      report(decisions);

      // Remember: a rule charges a request once, whatever dispatch comes next.
      RequestMemo now = memo.after(due, reported, outcome);
      now.keepOn(request);
      limiter.tally.count(memo.outcome(), now.outcome());

      // Render. What was charged is settled when the response has ended.
      List<Settlement> settlements = limiter.store.settlements(decisions);
      if (denied != null) {
        ticket.ifPresent(Ticket::leave);
        limiter.bans.count(denied);
        bannedBy.ifPresent(rule -> request.logAttribute(RequestLimiter.BANNED, rule.name()));
        return rejected(denied, bannedBy.isPresent() ? List.of() : now.verdicts(), settlements);
      }
      Outcome.Passed passed = passed(now.verdicts(), settlements, now, ticket);
      if (degradedBy.isEmpty()) {
        return passed;
      }
      request.logAttribute(RequestLimiter.DEGRADED, degradedBy.get().name());
      return degradedBy.get().onDenial() instanceof OnDenial.Degrade to && to.path().isPresent()
          ? new Outcome.Diverted(to.path().get(), passed.fields(), passed.completion())
          : passed;
    } catch (RuntimeException gone) {
      ticket.ifPresent(Ticket::leave);
      decisions.forEach(limiter.store::undo);
      throw gone;
    }
  }

  // ---------------------------------------------------------------- steps

  /** Reports each decision, and keeps denials on the request for its line in the access log. */
  private void report(List<JointDecision> decisions) {
    for (JointDecision decision : decisions) {
      if (decision.allowed()) {
        limiter.events.allowed(decision);
      } else {
        limiter.events.denied(decision);
        Denial denial = decision.denial(limiter.tags);
        denial.keepOn(request);
        limiter.tally.count(denial);
      }
    }
  }

  private static RequestCounts.Outcome outcome(JointDecision denied, Optional<Rule> bannedBy) {
    if (bannedBy.isPresent()) {
      return RequestCounts.Outcome.BANNED;
    }
    if (denied.decision() == null) {
      return RequestCounts.Outcome.REFUSED;
    }
    return denied.counted().isPresent()
        ? RequestCounts.Outcome.DENIED
        : RequestCounts.Outcome.UNAVAILABLE;
  }

  /** Returns null where there are none. */
  private @Nullable Resolution resolved(List<MatchedRule> together) {
    return together.isEmpty() ? null : limiter.resolver.resolve(together, context);
  }

  /** Returns how many decisions follow that of the rules that reject. */
  private int others() {
    return (degrading == null ? 0 : 1) + shadows.size() + trial.size();
  }

  /** Sheds the request. Its error page is neither charged nor denied. */
  private Outcome shed() {
    RequestMemo memo = RequestMemo.of(request);
    memo.shed().keepOn(request);
    Denial.keepShedOn(request);
    limiter.tally.count(memo.outcome(), RequestCounts.Outcome.SHED);
    limiter.events.shed();
    return limiter.fields.shed(request);
  }

  private Outcome.Passed passed(
      List<Verdict> reported,
      List<Settlement> settlements,
      RequestMemo now,
      Optional<Ticket> ticket) {
    Outcome.Passed passed = limiter.fields.passed(reported);
    if (settlements.isEmpty() && ticket.isEmpty()) {
      return passed;
    }
    ticket.ifPresent(Ticket::begin);
    return passed.endingWith(ResponseEnd.of(settlements, ticket, now, request, limiter.store));
  }

  /**
   * Returns the rejection. Only shadows have charged the request. A shadow that does not count
   * responses with the status of the rejection refunds its charge. The body of the rejection is not
   * charged.
   */
  private Outcome rejected(
      JointDecision denied, List<Verdict> reported, List<Settlement> settlements) {
    Rule rule = denied.denying();
    Decision decision = denied.decision();
    Outcome.Rejected rejected =
        decision == null
            ? limiter.fields.forbidden(rule, request)
            : limiter.fields.rejected(spread(denied, decision), reported, rule, request);
    Settlement.Ended unsent = new Settlement.Ended(Optional.of(Response.of(rejected.status())), 0);
    settlements.forEach(settlement -> settlement.ended(unsent));
    return rejected;
  }

  /** Spreads the retries of clients that one shared counter denies, by their addresses. */
  private Decision spread(JointDecision denied, Decision decision) {
    if (!(decision instanceof Decision.Counted counted)) {
      return decision;
    }
    Counter binding = counted.binding().counter();
    if (!SubjectPart.isShared(binding.subject())) {
      return counted;
    }
    String client = "";
    try {
      client = context.ip();
    } catch (RuntimeException e) {
      limiter.events.failed("the client's address is not known", e);
    }
    return limiter.retries.spread(counted, denied.permitsOf(binding), client);
  }

  // ---------------------------------------------------------------- waiting

  /**
   * Decides what rejects, at once or when the request's turn has come. It waits without its thread,
   * but not if the cost of any rule is the bytes of the response: a dispatch does not pass through
   * the code that counts them.
   */
  private Outcome queue(
      Resolution rejecting, RequestMemo memo, Deadline deadline, Optional<Ticket> ticket) {
    boolean isAside =
        request.canWaitAside()
            && due.stream().noneMatch(one -> one.rule().cost() instanceof Cost.OfResponse);
    WaiterLimit places = isAside ? limiter.store.places() : QueuedDecision.THREADS;
    QueuedDecision queued = limiter.store.queue(rejecting, deadline, places);
    if (queued.decision().isDone()) {
      return conclude(queued.await(), memo, deadline, ticket);
    }
    // first: its turn may come on another thread from now on
    limiter.admission.ifPresent(gate -> gate.leave(request));
    if (!isAside) {
      return resume(queued.await());
    }
    return new Outcome.Delayed(
        queued.place(),
        queued.decision().thenApply(this::resume),
        queued.maxWait().plus(limiter.store.longestCalls()),
        limiter.fields.rejected(Decision.failClosed(JointDecision.SOON), List.of()));
  }

  /**
   * Goes on after a wait, if the node still has room. The other rules have a deadline of their own,
   * because the first one has long passed. If the container has ended the request meanwhile, its
   * state may be gone. Then the request does not run, and nothing more is charged.
   */
  private Outcome resume(JointDecision decision) {
    RequestMemo memo;
    boolean enters;
    Optional<Ticket> ticket;
    try {
      memo = RequestMemo.of(request);
      enters =
          decision.allowed() && limiter.admission.filter(gate -> gate.wasDue(request)).isPresent();
      ticket =
          enters
              ? limiter.admission.flatMap(gate -> gate.admit(request, applying))
              : Optional.empty();
    } catch (RuntimeException gone) {
      limiter.store.undo(decision);
      throw gone;
    }
    if (enters && ticket.isEmpty()) {
      limiter.store.undo(decision);
      return shed();
    }
    return conclude(decision, memo, limiter.store.deadline(others()), ticket);
  }
}

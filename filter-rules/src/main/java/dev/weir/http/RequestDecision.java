package dev.weir.http;

import dev.weir.http.internal.decide.JointDecision;
import dev.weir.http.internal.decide.QueuedDecision;
import dev.weir.http.internal.decide.Resolution;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.decide.RuleStore;
import dev.weir.http.internal.decide.Settlement;
import dev.weir.http.internal.decide.Settlement.Ended;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.internal.response.SharedRetries;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.internal.wait.WaiterLimit;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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
   * @param store decides by what the rules charge
   * @param retries spreads the retries of denied clients
   * @param fields renders the decision
   * @param events reports what happens on the way
   */
  record Steps(
      ClientAddress clientAddress,
      AddressWarnings addressWarnings,
      Admission admission,
      ChargeResolver resolver,
      RuleStore store,
      SharedRetries retries,
      ResponseFields fields,
      RuleEvents events) {}

  private final Steps steps;
  private final RequestView request;
  private final RequestContext context;
  private final List<MatchedRule> applying;
  private final List<MatchedRule> awaitingUser;
  private final RequestMemo before;
  private final List<MatchedRule> due;

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
    this.before = RequestMemo.of(request);
    List<MatchedRule> now =
        awaitingUser.isEmpty()
            ? applying
            : applying.stream().filter(one -> !awaitingUser.contains(one)).toList();
    this.due = before.due(now, context);
  }

  /** The room that the node has for a request: a ticket where it counts them, or a rejection. */
  private record Room(Optional<Ticket> ticket, Optional<Outcome> shed) {}

  /** What the rules charge, in the order in which they are decided. */
  private record Charges(
      Optional<Resolution> rejecting, Optional<Resolution> degrading, List<Resolution> shadows) {

    int others() {
      return (degrading.isPresent() ? 1 : 0) + shadows.size();
    }
  }

  /** Decides about the request, or lets it wait for its turn. */
  Outcome decide() {
    // Admit: what was let in keeps its place, and the error page of what was denied needs none.
    Room room =
        !before.denied() && steps.admission().isDue(request)
            ? enter()
            : new Room(steps.admission().ticketOf(request), Optional.empty());
    if (room.shed().isPresent()) {
      return room.shed().get();
    }
    try {
      RequestMemo memo = before;
      if (!awaitingUser.isEmpty()) {
        memo = before.awaitingUser(awaitingUser);
        memo.keepOn(request);
      }
      if (due.isEmpty()) {
        boolean isSilent = applying.size() == awaitingUser.size();
        List<Verdict> known = isSilent ? List.of() : before.verdicts();
        return passed(steps.fields().passed(known), List.of(), memo, room.ticket());
      }

      // Resolve: whom each rule counts, and what it charges. Users' functions have run then, so
      // that a slow one does not look like a slow store.
      Charges charges =
          new Charges(
              resolved(MatchedRule.those(Rule.Kind.REJECTING, due)),
              resolved(MatchedRule.those(Rule.Kind.DEGRADING, due)),
              shadows(MatchedRule.those(Rule.Kind.SHADOW, due)));
      Deadline deadline =
          steps.store().deadline(charges.others() + (charges.rejecting().isPresent() ? 1 : 0));

      // Reject: all of these rules or none. If only those deny that delay, it waits for its turn.
      if (charges.rejecting().isEmpty()) {
        return conclude(Optional.empty(), charges, memo, deadline, room.ticket());
      }
      Resolution rejecting = charges.rejecting().get();
      if (rejecting.patience().isPresent()) {
        return queue(rejecting, charges, memo, deadline, room.ticket());
      }
      JointDecision decision = steps.store().decide(rejecting, deadline);
      return conclude(Optional.of(decision), charges, memo, deadline, room.ticket());
    } catch (RuntimeException | Error e) {
      room.ticket().ifPresent(Ticket::leave);
      throw e;
    }
  }

  /** Takes a place. The error page of a shed request is neither charged nor denied. */
  private Room enter() {
    Optional<Ticket> ticket = steps.admission().admit(request, applying);
    if (ticket.isPresent()) {
      return new Room(ticket, Optional.empty());
    }
    RequestMemo.of(request).shed().keepOn(request);
    steps.events().shed();
    return new Room(ticket, Optional.of(steps.fields().shed()));
  }

  private Optional<Resolution> resolved(List<MatchedRule> together) {
    return together.isEmpty()
        ? Optional.empty()
        : Optional.of(steps.resolver().resolve(together, context));
  }

  private List<Resolution> shadows(List<MatchedRule> shadows) {
    return shadows.isEmpty()
        ? List.of()
        : shadows.stream()
            .map(shadow -> steps.resolver().resolve(List.of(shadow), context))
            .toList();
  }

  /**
   * Decides what rejects, at once or when the request's turn has come. It waits without its thread,
   * but not if the cost of any rule is the bytes of the response: a dispatch does not pass through
   * the code that counts them.
   */
  private Outcome queue(
      Resolution rejecting,
      Charges charges,
      RequestMemo memo,
      Deadline deadline,
      Optional<Ticket> ticket) {
    boolean isAside =
        request.canWaitAside()
            && due.stream().noneMatch(one -> one.rule().cost() instanceof Cost.OfResponse);
    WaiterLimit places = isAside ? steps.store().places() : QueuedDecision.THREADS;
    QueuedDecision queued = steps.store().queue(rejecting, deadline, places);
    if (queued.decision().isDone()) {
      return conclude(Optional.of(queued.await()), charges, memo, deadline, ticket);
    }
    steps.admission().leave(request); // first: its turn may come on another thread from now on
    if (!isAside) {
      return resume(queued.await(), charges);
    }
    return new Delayed(
        queued.place(),
        queued.decision().thenApply(decision -> resume(decision, charges)),
        queued.maxWait().plus(steps.store().longestCalls()),
        steps.fields().rejected(Decision.closed(JointDecision.SOON), List.of()));
  }

  /**
   * Goes on after a wait, if the node still has room. The other rules have a deadline of their own,
   * because the first one has long passed. If the container has ended the request meanwhile, its
   * state may be gone. Then the request does not run, and nothing more is charged.
   */
  private Outcome resume(JointDecision decision, Charges charges) {
    RequestMemo memo;
    Room room;
    try {
      memo = RequestMemo.of(request);
      room =
          decision.allowed() && steps.admission().wasDue(request)
              ? enter()
              : new Room(Optional.empty(), Optional.empty());
    } catch (RuntimeException gone) {
      steps.store().undo(decision);
      throw gone;
    }
    if (room.shed().isPresent()) {
      steps.store().undo(decision);
      return room.shed().get();
    }
    Deadline deadline = steps.store().deadline(charges.others());
    return conclude(Optional.of(decision), charges, memo, deadline, room.ticket());
  }

  /** Decides the other rules, remembers all of them, and renders the outcome. */
  private Outcome conclude(
      Optional<JointDecision> rejecting,
      Charges charges,
      RequestMemo memo,
      Deadline deadline,
      Optional<Ticket> ticket) {
    List<JointDecision> decisions = new ArrayList<>(1 + charges.others());
    rejecting.ifPresent(decisions::add);
    boolean isDenied = rejecting.isPresent() && !rejecting.get().allowed();
    try {
      // Degrade: these rules do not decide about a request that is rejected.
      Optional<JointDecision> degrading = Optional.empty();
      if (!isDenied && charges.degrading().isPresent()) {
        degrading = Optional.of(steps.store().decide(charges.degrading().get(), deadline));
        decisions.add(degrading.get());
      }

      // Shadows: each alone, and nothing depends on them.
      for (Resolution shadow : charges.shadows()) {
        decisions.add(steps.store().decide(shadow, deadline));
      }
      decisions.forEach(steps.events()::decided);

      // Remember: a rule charges a request once, whatever dispatch comes next.
      RequestMemo now = memo.after(due, verdicts(rejecting, degrading), isDenied);
      now.keepOn(request);

      // Render. What was charged is settled when the response has ended.
      List<Settlement> settlements = steps.store().settlements(decisions);
      if (isDenied) {
        ticket.ifPresent(Ticket::leave);
        return rejected(rejecting.get(), now, settlements);
      }
      Outcome.Passed passed = steps.fields().passed(now.verdicts());
      return degrading.isEmpty() || degrading.get().allowed()
          ? passed(passed, settlements, now, ticket)
          : degraded(degrading.get().denying(), passed, settlements, now, ticket);
    } catch (RuntimeException gone) {
      ticket.ifPresent(Ticket::leave);
      decisions.forEach(steps.store()::undo);
      throw gone;
    }
  }

  /** Returns the states of the counters that are reported to a client. */
  private static List<Verdict> verdicts(
      Optional<JointDecision> rejecting, Optional<JointDecision> degrading) {
    List<Verdict> first = rejecting.map(JointDecision::verdicts).orElse(List.of());
    List<Verdict> second = degrading.map(JointDecision::verdicts).orElse(List.of());
    if (first.isEmpty() || second.isEmpty()) {
      return first.isEmpty() ? second : first;
    }
    List<Verdict> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  private Outcome.Passed passed(
      Outcome.Passed passed,
      List<Settlement> settlements,
      RequestMemo now,
      Optional<Ticket> ticket) {
    ticket.ifPresent(Ticket::begin);
    return passed.endingWith(ResponseEnd.of(settlements, ticket, now, request, steps.store()));
  }

  private Outcome degraded(
      Rule by,
      Outcome.Passed passed,
      List<Settlement> settlements,
      RequestMemo now,
      Optional<Ticket> ticket) {
    request.attribute(RequestLimiter.DEGRADED, by.name());
    Outcome.Passed ending = passed(passed, settlements, now, ticket);
    return by.onDenial() instanceof OnDenial.Degrade degrade && degrade.path().isPresent()
        ? new Outcome.Diverted(degrade.path().get(), ending.fields(), ending.completion())
        : ending;
  }

  /**
   * Returns the rejection. Only shadows have charged the request. A shadow that does not count
   * responses with the status of the rejection refunds its charge. The body of the rejection is not
   * charged.
   */
  private Outcome rejected(JointDecision denied, RequestMemo now, List<Settlement> settlements) {
    Outcome.Rejected rejected =
        denied.decision().isEmpty()
            ? steps.fields().forbidden()
            : steps.fields().rejected(spread(denied, denied.decision().get()), now.verdicts());
    Ended unsent = new Ended(OptionalInt.of(rejected.status()), 0);
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
      steps.events().failed("the client's address is not known", e);
    }
    return steps.retries().spread(counted, denied.permitsOf(binding), client);
  }
}

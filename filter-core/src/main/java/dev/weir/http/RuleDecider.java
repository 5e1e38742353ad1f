package dev.weir.http;

import dev.weir.AcquireRequest;
import dev.weir.Charge;
import dev.weir.ConcurrencyPermits;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.OnOutage;
import dev.weir.Subject;
import dev.weir.WaitQueues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides about a request: which clients each rule denies or exempts, and what the other rules
 * charge, for which subjects. If the store cannot decide, the strictest of their policies decides.
 *
 * <p>Rules that reject are one decision, all or none. Rules that delay are part of it. If only
 * these deny, the request waits until the whole decision can be allowed. Rules that degrade are a
 * second decision, because a request that they deny is still served and charged by the first
 * decision. They are all or none too, because what one of them degrades does not count for the
 * others. They do not decide about a rejected request. Each shadow is a separate decision, on which
 * nothing depends.
 */
final class RuleDecider {

  /** The retry-after of a denial when nothing better is known. */
  static final Duration SOON = Duration.ofSeconds(1);

  /**
   * The most calls for one request: to peek, to acquire its turn, for the rules that degrade, and
   * for a few shadows.
   */
  private static final int MOST_BATCHES = 10;

  private static final Decision EXEMPTION = Decision.byRule(true);

  private final LimitStore store;
  private final WaitQueues waitQueues;
  private final Duration deadline;
  private final RuleEvents events;

  /**
   * @param store receives the refund of charges that do not count
   * @param waitQueues decides by that store, keeps the permits of running requests, and lets
   *     requests wait
   * @param deadline within which the store decides about a request
   */
  RuleDecider(LimitStore store, WaitQueues waitQueues, Duration deadline, RuleEvents events) {
    this.store = Objects.requireNonNull(store, "store");
    this.waitQueues = Objects.requireNonNull(waitQueues, "waitQueues");
    this.deadline = deadline;
    this.events = events;
  }

  /** Returns the time that the decisions of one request may take. */
  StoreTime time() {
    return new StoreTime(deadline);
  }

  /**
   * Returns how long a waiting request takes in addition to its wait, for calls to the store, one
   * after the other.
   */
  Duration longestCalls() {
    return deadline.multipliedBy(MOST_BATCHES);
  }

  /**
   * The way in which a request waits, if it must.
   *
   * @param due all rules that must be decided for it
   * @param begins runs when its thread begins to wait
   */
  private record Waiting(RequestView request, List<MatchedRule> due, Runnable begins) {

    /**
     * Returns whether the request waits without its thread. It does not if the cost of any rule is
     * the bytes of the response. A dispatch does not pass through the code that counts these bytes.
     */
    boolean isAside() {
      return request.canWaitAside()
          && due.stream().noneMatch(applied -> applied.rule().cost() instanceof Cost.OfResponse);
    }
  }

  /**
   * Decides the rules that may reject the request. {@link #rule} decides the other rules.
   *
   * @param whenItWaits runs when this thread begins to wait for permits
   */
  PendingDecision ask(
      List<MatchedRule> due, RequestContext context, StoreTime time, Runnable whenItWaits) {
    List<MatchedRule> rejecting = MatchedRule.those(Rule.Kind.REJECTING, due);
    Waiting waiting = new Waiting(context.request(), due, whenItWaits);
    return rejecting.isEmpty()
        ? new PendingDecision.Immediate(Optional.empty())
        : pending(rejecting, context, time, waiting);
  }

  /** Decides the other rules, when the request runs or is rejected. */
  RuleDecisions rule(
      List<MatchedRule> due,
      RequestContext context,
      Optional<RuleDecision> rejecting,
      StoreTime time) {
    boolean tickets = rejecting.isEmpty() || rejecting.get().allowed();
    Optional<RuleDecision> degrading =
        tickets
            ? together(MatchedRule.those(Rule.Kind.DEGRADING, due), context, time)
            : Optional.empty();
    return new RuleDecisions(rejecting, degrading, shadows(due, context, time));
  }

  private List<RuleDecision> shadows(
      List<MatchedRule> due, RequestContext context, StoreTime time) {
    List<MatchedRule> shadows = MatchedRule.those(Rule.Kind.SHADOW, due);
    if (shadows.isEmpty()) {
      return List.of();
    }
    List<RuleDecision> answers = new ArrayList<>(shadows.size());
    for (MatchedRule shadow : shadows) {
      answers.add(answer(List.of(shadow), context, time));
    }
    return answers;
  }

  private Optional<RuleDecision> together(
      List<MatchedRule> applied, RequestContext context, StoreTime time) {
    return applied.isEmpty() ? Optional.empty() : Optional.of(answer(applied, context, time));
  }

  /** Decides rules that neither reject nor delay. They never wait. */
  private RuleDecision answer(List<MatchedRule> applied, RequestContext context, StoreTime time) {
    Waiting never = new Waiting(context.request(), applied, () -> {});
    PendingDecision pending = pending(applied, context, time, never);
    return ((PendingDecision.Immediate) pending).answered().orElseThrow();
  }

  /**
   * Decides these rules. Never throws: no input of a client and no user code may cause an error
   * page.
   */
  private PendingDecision pending(
      List<MatchedRule> applied, RequestContext context, StoreTime time, Waiting waiting) {
    try {
      Eligibility eligibility = Eligibility.by(applied, context, events);
      return eligibility.refusing().isPresent()
          ? now(refused(eligibility.refusing().get()))
          : pending(eligibility, context, time, waiting);
    } catch (RuntimeException e) {
      return now(failed(MatchedRule.rules(applied), e));
    }
  }

  private PendingDecision pending(
      Eligibility eligibility, RequestContext context, StoreTime time, Waiting waiting) {
    if (eligibility.limiting().isEmpty()) {
      return now(RuleDecision.uncounted(eligibility.exempt(), EXEMPTION));
    }
    if (!eligibility.exempt().isEmpty()) {
      events.decided(eligibility.exempt(), EXEMPTION);
    }
    return counted(eligibility, context, time, waiting);
  }

  private PendingDecision counted(
      Eligibility eligibility, RequestContext context, StoreTime time, Waiting waiting) {
    List<Rule> rules = eligibility.limitingRules();
    try {
      List<RuleCharges> charged = charges(eligibility.limiting(), context);
      for (RuleCharges one : charged) {
        if (one.charges().isEmpty()) {
          return now(refused(one.rule()));
        }
      }
      Optional<Patience> patience = Patience.of(charged, context);
      AcquireRequest acquire =
          new AcquireRequest(RuleCharges.charges(charged), strictest(rules), time.begin());
      return patience.isEmpty()
          ? now(RuleDecision.of(charged, waitQueues.decide(acquire), false))
          : waiting(patience.get(), acquire, charged, waiting);
    } catch (RuntimeException e) {
      return now(failed(rules, e));
    } finally {
      time.end();
    }
  }

  /** Returns a denial without a call to the store. Waiting does not change it. */
  private static RuleDecision refused(Rule by) {
    return RuleDecision.uncounted(List.of(by), Decision.byRule(false));
  }

  private PendingDecision waiting(
      Patience patience, AcquireRequest acquire, List<RuleCharges> charged, Waiting waiting) {
    List<Rule> rules = RuleCharges.rules(charged);
    if (waiting.isAside()) {
      Set<Subject> subjects = patience.subjects();
      boolean mayWait = waitQueues.places().take(subjects);
      CompletableFuture<ConcurrencyPermits> place = begin(mayWait, patience, acquire);
      boolean hasWaited = !place.isDone();
      CompletableFuture<RuleDecision> answered =
          place
              .whenComplete((hold, failure) -> leave(mayWait, subjects))
              .thenApply(hold -> RuleDecision.of(charged, hold, hasWaited))
              .exceptionally(failure -> failed(rules, unlessLeft(place, failure)));
      return new PendingDecision.Deferred(place, answered, patience.maxWait());
    }
    AtomicBoolean hasWaited = new AtomicBoolean();
    Runnable begins =
        () -> {
          hasWaited.set(true);
          waiting.begins().run();
        };
    return now(
        WaitingThreads.OF_THIS_NODE
            .await(patience, most -> most.wait(waitQueues, acquire), begins)
            .map(hold -> RuleDecision.of(charged, hold, hasWaited.get()))
            .orElseGet(() -> RuleDecision.uncounted(rules, Decision.closed(SOON))));
  }

  /** Begins to wait. Without a place, the request is decided as if its longest wait were zero. */
  private CompletableFuture<ConcurrencyPermits> begin(
      boolean mayWait, Patience patience, AcquireRequest acquire) {
    try {
      return (mayWait ? patience : patience.none()).wait(waitQueues, acquire);
    } catch (RuntimeException | Error e) {
      leave(mayWait, patience.subjects());
      throw e;
    }
  }

  private void leave(boolean hasPlace, Set<Subject> subjects) {
    if (hasPlace) {
      waitQueues.places().leave(subjects);
    }
  }

  private static RuntimeException unlessLeft(Future<?> place, Throwable failure) {
    if (place.isCancelled()) {
      throw new CancellationException();
    }
    return failure.getCause() instanceof RuntimeException cause
        ? cause
        : new IllegalStateException(failure);
  }

  private static PendingDecision now(RuleDecision answered) {
    return new PendingDecision.Immediate(Optional.of(answered));
  }

  private RuleDecision failed(List<Rule> rules, RuntimeException error) {
    events.failed("decision failed", error);
    return RuleDecision.uncounted(rules, Decision.uncounted(strictest(rules), SOON));
  }

  /** Undoes a decision, because its request does not run. */
  void undo(RuleDecision answered) {
    answered.hold().ifPresent(ConcurrencyPermits::close);
    new Settlement(store, deadline, events, answered).undo();
  }

  /** Returns the actions for these decisions that must run when the response has ended. */
  List<Afterwards> afterwards(RuleDecisions decisions) {
    List<Afterwards> afterwards = List.of();
    for (RuleDecision answered : decisions.all()) {
      if (answered.hold().isPresent() || Settlement.isNeededFor(answered)) {
        afterwards = afterwards.isEmpty() ? new ArrayList<>() : afterwards;
        add(answered, afterwards);
      }
    }
    return afterwards;
  }

  private void add(RuleDecision answered, List<Afterwards> afterwards) {
    if (Settlement.isNeededFor(answered)) {
      afterwards.add(new Settlement(store, deadline, events, answered));
    }
    answered.hold().ifPresent(hold -> afterwards.add(ended -> hold.close()));
  }

  private static OnOutage strictest(List<Rule> rules) {
    OnOutage strictest = OnOutage.ALLOW;
    for (Rule rule : rules) {
      strictest = strictest.strictest(rule.onOutage());
    }
    return strictest;
  }

  private List<RuleCharges> charges(List<Eligibility.Limiting> rules, RequestContext context) {
    List<RuleCharges> charged = new ArrayList<>(rules.size());
    for (Eligibility.Limiting one : rules) {
      RequestContext seen = context.through(one.applied().template());
      List<Subject> subjects = one.rule().subject().resolve(seen, events);
      long permits = one.rule().cost().permits(context.request());
      charged.add(new RuleCharges(one.rule(), charges(one.limits(), subjects, permits)));
    }
    return charged;
  }

  /**
   * Returns a charge of every limit for every subject. None if the request names too many subjects.
   */
  private static List<Charge> charges(
      List<NamedLimit> limits, List<Subject> subjects, long permits) {
    Charge[] charges = new Charge[subjects.size() * limits.size()];
    for (int i = 0; i < charges.length; i++) {
      Subject subject = subjects.get(i / limits.size());
      NamedLimit limit = limits.get(i % limits.size());
      charges[i] = new Charge(new Counter(limit.name(), limit.limit(), subject), permits);
    }
    return List.of(charges);
  }
}

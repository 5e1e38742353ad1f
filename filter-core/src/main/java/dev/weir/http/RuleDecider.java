package dev.weir.http;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Hold;
import dev.weir.LimitStore;
import dev.weir.OnOutage;
import dev.weir.Subject;
import dev.weir.Waits;
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
 * Decides about a request: whom each rule refuses or exempts, what the others charge, to whom, and
 * what the strictest of their policies answers when the store cannot.
 *
 * <p>Rules that reject are one decision, all or none, and those that delay are part of it: where
 * only these deny, the request waits until all of it can be granted. Those that degrade are
 * another, since a request that they deny is served and charged by the former nevertheless; among
 * themselves they are all or none too, for what one of them degrades is not what the others count.
 * They are not asked about what is rejected. Each shadow is a decision of its own, which nothing
 * depends on.
 */
final class RuleDecider {

  /** How long a client is told to wait where nothing is known. */
  static final Duration SOON = Duration.ofSeconds(1);

  /** To look, to ask for its turn, for the rules that degrade, and for a few shadows. */
  private static final int MOST_TRIPS = 10;

  private static final Decision EXEMPTION = Decision.byRule(true);

  private final LimitStore store;
  private final Waits waits;
  private final Duration deadline;
  private final Reports reports;

  /**
   * @param store takes back what does not count
   * @param waits asks that store, keeps what is held while requests run, and lets requests wait
   * @param deadline within which the store decides about a request
   */
  RuleDecider(LimitStore store, Waits waits, Duration deadline, Reports reports) {
    this.store = Objects.requireNonNull(store, "store");
    this.waits = Objects.requireNonNull(waits, "waits");
    this.deadline = deadline;
    this.reports = reports;
  }

  /** The time that the decisions of one request may take. */
  StoreTime time() {
    return new StoreTime(deadline);
  }

  /**
   * What a request that waits takes beside its waiting: trips to the store, one after the other.
   */
  Duration longestTrips() {
    return deadline.multipliedBy(MOST_TRIPS);
  }

  /**
   * How a request waits, should it.
   *
   * @param due all that there is to decide for it
   * @param begins told when its thread begins to wait
   */
  private record Waiting(RequestView request, List<Applied> due, Runnable begins) {

    /**
     * Whether it does so without its thread: not where any rule weighs the response, whose bytes
     * are counted on a way that a dispatch does not take.
     */
    boolean isAside() {
      return request.canWaitAside()
          && due.stream().noneMatch(applied -> applied.rule().cost() instanceof Cost.OfResponse);
    }
  }

  /**
   * Asks what may refuse the request: with {@link #rule}, all that there is to decide.
   *
   * @param whenItWaits told when this thread begins to wait for permits
   */
  Turn ask(List<Applied> due, Sighting sighting, StoreTime time, Runnable whenItWaits) {
    List<Applied> rejecting = Applied.those(Rule.Kind.REJECTING, due);
    Waiting waiting = new Waiting(sighting.request(), due, whenItWaits);
    return rejecting.isEmpty()
        ? new Turn.Now(Optional.empty())
        : turn(rejecting, sighting, time, waiting);
  }

  /** Decides the rest, when the request runs or is refused. */
  Ruling rule(List<Applied> due, Sighting sighting, Optional<Answered> rejecting, StoreTime time) {
    boolean passes = rejecting.isEmpty() || rejecting.get().allowed();
    Optional<Answered> degrading =
        passes
            ? together(Applied.those(Rule.Kind.DEGRADING, due), sighting, time)
            : Optional.empty();
    return new Ruling(rejecting, degrading, shadows(due, sighting, time));
  }

  private List<Answered> shadows(List<Applied> due, Sighting sighting, StoreTime time) {
    List<Applied> shadows = Applied.those(Rule.Kind.SHADOW, due);
    if (shadows.isEmpty()) {
      return List.of();
    }
    List<Answered> answers = new ArrayList<>(shadows.size());
    for (Applied shadow : shadows) {
      answers.add(answer(List.of(shadow), sighting, time));
    }
    return answers;
  }

  private Optional<Answered> together(List<Applied> applied, Sighting sighting, StoreTime time) {
    return applied.isEmpty() ? Optional.empty() : Optional.of(answer(applied, sighting, time));
  }

  /** Rules that neither reject nor delay wait for nothing. */
  private Answered answer(List<Applied> applied, Sighting sighting, StoreTime time) {
    Waiting never = new Waiting(sighting.request(), applied, () -> {});
    Turn turn = turn(applied, sighting, time, never);
    return ((Turn.Now) turn).answered().orElseThrow();
  }

  /** Never throws: what a client sent or a user's code does is no reason for an error page. */
  private Turn turn(List<Applied> applied, Sighting sighting, StoreTime time, Waiting waiting) {
    try {
      Treated treated = Treated.by(applied, sighting, reports);
      return treated.refusing().isPresent()
          ? now(refused(treated.refusing().get()))
          : turn(treated, sighting, time, waiting);
    } catch (RuntimeException e) {
      return now(failed(Applied.rules(applied), e));
    }
  }

  private Turn turn(Treated treated, Sighting sighting, StoreTime time, Waiting waiting) {
    if (treated.limiting().isEmpty()) {
      return now(Answered.uncounted(treated.exempt(), EXEMPTION));
    }
    if (!treated.exempt().isEmpty()) {
      reports.decided(treated.exempt(), EXEMPTION);
    }
    return counted(treated, sighting, time, waiting);
  }

  private Turn counted(Treated treated, Sighting sighting, StoreTime time, Waiting waiting) {
    List<Rule> rules = treated.limitingRules();
    try {
      List<RuleCharges> charged = charges(treated.limiting(), sighting);
      for (RuleCharges one : charged) {
        if (one.charges().isEmpty()) {
          return now(refused(one.rule()));
        }
      }
      Optional<Patience> patience = Patience.of(charged, sighting);
      Ask ask = new Ask(RuleCharges.charges(charged), strictest(rules), time.begin());
      return patience.isEmpty()
          ? now(Answered.of(charged, waits.decide(ask), false))
          : waiting(patience.get(), ask, charged, waiting);
    } catch (RuntimeException e) {
      return now(failed(rules, e));
    } finally {
      time.end();
    }
  }

  /** Without being asked about: waiting changes nothing. */
  private static Answered refused(Rule by) {
    return Answered.uncounted(List.of(by), Decision.byRule(false));
  }

  private Turn waiting(Patience patience, Ask ask, List<RuleCharges> charged, Waiting waiting) {
    List<Rule> rules = RuleCharges.rules(charged);
    if (waiting.isAside()) {
      Set<Subject> subjects = patience.subjects();
      boolean mayWait = waits.places().take(subjects);
      CompletableFuture<Hold> place = begin(mayWait, patience, ask);
      boolean hasWaited = !place.isDone();
      CompletableFuture<Answered> answered =
          place
              .whenComplete((hold, failure) -> leave(mayWait, subjects))
              .thenApply(hold -> Answered.of(charged, hold, hasWaited))
              .exceptionally(failure -> failed(rules, unlessLeft(place, failure)));
      return new Turn.Later(place, answered, patience.maxWait());
    }
    AtomicBoolean hasWaited = new AtomicBoolean();
    Runnable begins =
        () -> {
          hasWaited.set(true);
          waiting.begins().run();
        };
    return now(
        WaitingThreads.OF_THIS_NODE
            .await(patience, most -> most.wait(waits, ask), begins)
            .map(hold -> Answered.of(charged, hold, hasWaited.get()))
            .orElseGet(() -> Answered.uncounted(rules, Decision.closed(SOON))));
  }

  /** Without a place, as if it had no time. */
  private CompletableFuture<Hold> begin(boolean mayWait, Patience patience, Ask ask) {
    try {
      return (mayWait ? patience : patience.none()).wait(waits, ask);
    } catch (RuntimeException | Error e) {
      leave(mayWait, patience.subjects());
      throw e;
    }
  }

  private void leave(boolean hasPlace, Set<Subject> subjects) {
    if (hasPlace) {
      waits.places().leave(subjects);
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

  private static Turn now(Answered answered) {
    return new Turn.Now(Optional.of(answered));
  }

  private Answered failed(List<Rule> rules, RuntimeException error) {
    reports.failed("decision failed", error);
    return Answered.uncounted(rules, Decision.uncounted(strictest(rules), SOON));
  }

  /** It does not run after all. */
  void undo(Answered answered) {
    answered.hold().ifPresent(Hold::close);
    new Settlement(store, deadline, reports, answered).undo();
  }

  /** What is left to do for these decisions when the response has ended. */
  List<Afterwards> afterwards(Ruling ruling) {
    List<Afterwards> afterwards = List.of();
    for (Answered answered : ruling.all()) {
      if (answered.hold().isPresent() || Settlement.isNeededFor(answered)) {
        afterwards = afterwards.isEmpty() ? new ArrayList<>() : afterwards;
        add(answered, afterwards);
      }
    }
    return afterwards;
  }

  private void add(Answered answered, List<Afterwards> afterwards) {
    if (Settlement.isNeededFor(answered)) {
      afterwards.add(new Settlement(store, deadline, reports, answered));
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

  private List<RuleCharges> charges(List<Treated.Limiting> rules, Sighting sighting) {
    List<RuleCharges> charged = new ArrayList<>(rules.size());
    for (Treated.Limiting one : rules) {
      Sighting seen = sighting.through(one.applied().template());
      List<Subject> subjects = one.rule().subject().resolve(seen, reports);
      long permits = one.rule().cost().permits(sighting.request());
      charged.add(new RuleCharges(one.rule(), charges(one.limits(), subjects, permits)));
    }
    return charged;
  }

  /** Every limit for every subject; none where the request names too many. */
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

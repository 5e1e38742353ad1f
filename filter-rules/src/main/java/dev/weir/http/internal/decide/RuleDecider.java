package dev.weir.http.internal.decide;

import dev.weir.http.Rule;
import dev.weir.internal.permit.Permits;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.internal.wait.WaiterLimit;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Decides by the store what rules charge for a request. If the store cannot decide, the strictest
 * of their policies decides. Thread-safe.
 */
public final class RuleDecider {

  /**
   * The most calls for one request: to peek, to acquire its turn, for the rules that degrade, and
   * for a few shadows.
   */
  private static final int MOST_BATCHES = 10;

  private final LimitStore store;
  private final WaitQueues waitQueues;
  private final Duration deadline;
  private final Deadline storeTime;
  private final RuleEvents events;

  /**
   * @param store receives the refund of charges that do not count
   * @param waitQueues decides by that store, keeps the permits of running requests, and lets
   *     requests wait
   * @param deadline within which the store decides about a request
   */
  public RuleDecider(
      LimitStore store, WaitQueues waitQueues, Duration deadline, RuleEvents events) {
    this.store = Objects.requireNonNull(store, "store");
    this.waitQueues = Objects.requireNonNull(waitQueues, "waitQueues");
    this.deadline = deadline;
    this.storeTime = Deadline.within(deadline);
    this.events = events;
  }

  /** Returns the time that the decisions of one request about this many rules may take. */
  public StoreTime time(int rules) {
    return new StoreTime(storeTime, rules);
  }

  /**
   * Returns how long a waiting request takes in addition to its wait, for calls to the store, one
   * after the other.
   */
  public Duration longestCalls() {
    return deadline.multipliedBy(MOST_BATCHES);
  }

  /** Returns the places of requests that wait without a thread. */
  public WaiterLimit places() {
    return waitQueues.places();
  }

  /**
   * Runs a task after a delay, on a thread that may block for the store.
   *
   * @return cancels the task, unless it has begun
   */
  public Runnable runIn(Duration delay, Runnable task) {
    return waitQueues.runIn(delay, task);
  }

  /**
   * Decides at once. Never throws: no input of a client may cause an error page.
   *
   * @param charged decided together; at least one, each with at least one charge
   */
  public RuleDecision decide(List<RuleCharges> charged, StoreTime time) {
    List<Rule> rules = RuleCharges.rules(charged);
    try {
      Permits permits = waitQueues.decide(acquire(rules, charged, time));
      return RuleDecision.of(rules, charged, permits, false);
    } catch (RuntimeException e) {
      return failed(rules, e);
    }
  }

  /**
   * Decides at once or after a wait. A request that finds no place to wait is decided as if its
   * longest wait were zero. Never throws.
   *
   * @param places of requests that wait as this one does
   */
  public PendingDecision queue(
      List<RuleCharges> charged, Patience patience, StoreTime time, WaiterLimit places) {
    List<Rule> rules = RuleCharges.rules(charged);
    Set<Subject> subjects = patience.subjects();
    boolean hasPlace = places.take(subjects);
    CompletableFuture<Permits> place =
        begin(hasPlace ? patience : patience.none(), rules, charged, time);
    boolean hasWaited = !place.isDone();
    CompletableFuture<RuleDecision> answered =
        place
            .whenComplete((permits, failure) -> leave(hasPlace, subjects, places))
            .thenApply(permits -> RuleDecision.of(rules, charged, permits, hasWaited))
            .exceptionally(failure -> failed(rules, unlessLeft(place, failure)));
    return new PendingDecision(charged, place, answered, patience.maxWait());
  }

  private CompletableFuture<Permits> begin(
      Patience patience, List<Rule> rules, List<RuleCharges> charged, StoreTime time) {
    try {
      return patience.wait(waitQueues, acquire(rules, charged, time));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void leave(boolean hasPlace, Set<Subject> subjects, WaiterLimit places) {
    if (hasPlace) {
      places.leave(subjects);
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

  private static AcquireRequest acquire(
      List<Rule> rules, List<RuleCharges> charged, StoreTime time) {
    return new AcquireRequest(
        RuleCharges.charges(charged), RuleDecision.strictest(rules), time.begin(rules.size()));
  }

  private RuleDecision failed(List<Rule> rules, RuntimeException error) {
    events.failed("decision failed", error);
    return RuleDecision.undecided(rules);
  }

  /** Undoes a decision, because its request does not run. */
  public void undo(RuleDecision answered) {
    settlement(answered).undo();
  }

  /** Returns what is left to do for these decisions when the response has ended. */
  public List<Settlement> settlements(List<RuleDecision> decisions) {
    List<Settlement> settlements = List.of();
    for (int i = 0; i < decisions.size(); i++) {
      RuleDecision answered = decisions.get(i);
      if (Settlement.isNeededFor(answered)) {
        settlements = settlements.isEmpty() ? new ArrayList<>() : settlements;
        settlements.add(settlement(answered));
      }
    }
    return settlements;
  }

  private Settlement settlement(RuleDecision answered) {
    return new Settlement(store, deadline, events, answered);
  }
}

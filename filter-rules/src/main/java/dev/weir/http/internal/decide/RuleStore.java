package dev.weir.http.internal.decide;

import dev.weir.http.Rule;
import dev.weir.http.RuleListener.WaitEnd;
import dev.weir.internal.permit.Permits;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.internal.wait.WaiterLimit;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The way from rules to a {@link LimitStore}. It has the store decide about what rules charge for a
 * request, lets requests wait, and settles what their responses have cost. If the store cannot
 * decide, the strictest of the rules' policies does. Thread-safe.
 */
public final class RuleStore {

  /**
   * The most calls for one request: to peek, to acquire its turn, for the rules that degrade, and
   * for a few shadows.
   */
  private static final int MOST_CALLS = 10;

  private final LimitStore store;
  private final WaitQueues waitQueues;
  private final Duration deadline;
  private final Deadline notBegun;
  private final RuleEvents events;
  private final Ticker ticker;

  /**
   * @param store receives the refund of charges that do not count
   * @param waitQueues decides by that store, keeps the permits of running requests, and lets
   *     requests wait
   * @param deadline within which the store decides about a request
   */
  public RuleStore(
      LimitStore store,
      WaitQueues waitQueues,
      Duration deadline,
      RuleEvents events,
      Ticker ticker) {
    this.store = Objects.requireNonNull(store, "store");
    this.waitQueues = Objects.requireNonNull(waitQueues, "waitQueues");
    this.deadline = deadline;
    this.notBegun = Deadline.within(deadline);
    this.events = events;
    this.ticker = ticker;
  }

  /**
   * Returns the deadline of this many decisions about one request. One alone begins it when it
   * first waits, and needs no clock before that.
   */
  public Deadline deadline(int decisions) {
    return decisions > 1 ? Deadline.after(deadline) : notBegun;
  }

  /**
   * Returns how long a waiting request takes in addition to its wait, for calls to the store, one
   * after the other.
   */
  public Duration longestCalls() {
    return deadline.multipliedBy(MOST_CALLS);
  }

  /** Returns the places of requests that wait without a thread. */
  public WaiterLimit places() {
    return waitQueues.places();
  }

  /** Runs a task after a delay, as {@link WaitQueues#runIn} does. */
  public Runnable runIn(Duration delay, Runnable task) {
    return waitQueues.runIn(delay, task);
  }

  /** Decides at once. Never throws: no input of a client may cause an error page. */
  public JointDecision decide(Resolution resolution, Deadline due) {
    if (resolution.decision().isPresent()) {
      return resolution.decision().get();
    }
    List<RuleCharges> charged = resolution.charged();
    List<Rule> rules = begin(resolution, charged);
    try {
      AcquireRequest request = acquire(rules, charged, due);
      return isAnySettledAtEnd(rules) // then permits may be held until the response has ended
          ? JointDecision.of(rules, charged, waitQueues.decide(request))
          : JointDecision.of(rules, charged, store.decide(request));
    } catch (StoreUnavailableException gone) { // no fallback decides an outage, or it is closed
      OnOutage onOutage = JointDecision.strictest(rules);
      return JointDecision.of(rules, charged, Decision.uncounted(onOutage, gone.nextProbe()));
    } catch (RuntimeException e) {
      return failed(rules, e);
    }
  }

  private static boolean isAnySettledAtEnd(List<Rule> rules) {
    for (int i = 0; i < rules.size(); i++) {
      if (rules.get(i).isSettledAtEnd()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Decides at once or after a wait. A request that finds no place to wait is decided as if its
   * longest wait were zero. Never throws.
   *
   * @param resolution with patience
   * @param places of requests that wait as this one does
   */
  public QueuedDecision queue(Resolution resolution, Deadline due, WaiterLimit places) {
    Patience patience = resolution.patience().orElseThrow();
    List<RuleCharges> charged = resolution.charged();
    List<Rule> rules = begin(resolution, charged);
    Set<Subject> subjects = patience.subjects();
    boolean hasPlace = places.take(subjects);
    CompletableFuture<Permits> place;
    try {
      place =
          waitQueues.decide(
              acquire(rules, charged, due),
              patience.waitedFor(),
              hasPlace ? patience.maxWait() : Duration.ZERO);
    } catch (RuntimeException e) {
      place = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Permits> taken = place;
    boolean waits = !place.isDone();
    long startNanos = ticker.nanoTime();
    CompletableFuture<JointDecision> decision =
        place
            .whenComplete(
                (permits, failure) -> {
                  if (hasPlace) {
                    places.leave(subjects);
                  }
                })
            .thenApply(permits -> JointDecision.of(rules, charged, permits))
            .exceptionally(failure -> failed(rules, unlessLeft(taken, failure)));
    if (waits) {
      decision =
          decision.whenComplete(
              (joint, left) ->
                  events.waited(
                      rules, endOf(joint, left), Duration.ofNanos(ticker.nanoTime() - startNanos)));
    }
    return new QueuedDecision(rules, place, decision, patience.maxWait());
  }

  /** Reports who is not limited, and returns the rules that the store decides about. */
  private List<Rule> begin(Resolution resolution, List<RuleCharges> charged) {
    if (!resolution.exempt().isEmpty()) {
      events.exempted(resolution.exempt());
    }
    return RuleCharges.rules(charged);
  }

  private static WaitEnd endOf(@Nullable JointDecision joint, @Nullable Throwable left) {
    if (joint == null || left != null) {
      return WaitEnd.LEFT;
    }
    return joint.allowed() ? WaitEnd.SERVED : WaitEnd.REFUSED;
  }

  private static RuntimeException unlessLeft(Future<?> place, Throwable failure) {
    if (place.isCancelled()) {
      throw new CancellationException();
    }
    return failure.getCause() instanceof RuntimeException cause
        ? cause
        : new IllegalStateException(failure);
  }

  private static AcquireRequest acquire(List<Rule> rules, List<RuleCharges> charged, Deadline due) {
    OnOutage onOutage = JointDecision.strictest(rules);
    return new AcquireRequest(RuleCharges.charges(charged), Mode.EXACTLY, onOutage, due);
  }

  private JointDecision failed(List<Rule> rules, RuntimeException error) {
    events.failed("decision failed", error);
    return JointDecision.undecided(rules);
  }

  /** Undoes a decision, because its request does not run. */
  public void undo(JointDecision decision) {
    settlement(decision).undo();
  }

  /** Returns what is left to do for these decisions when the response has ended. */
  public List<Settlement> settlements(List<JointDecision> decisions) {
    List<Settlement> settlements = List.of();
    for (int i = 0; i < decisions.size(); i++) {
      JointDecision decision = decisions.get(i);
      if (isAnySettledAtEnd(decision.rules()) && Settlement.isNeededFor(decision)) {
        settlements = settlements.isEmpty() ? new ArrayList<>() : settlements;
        settlements.add(settlement(decision));
      }
    }
    return settlements;
  }

  private Settlement settlement(JointDecision decision) {
    return new Settlement(store, deadline, events, decision);
  }
}

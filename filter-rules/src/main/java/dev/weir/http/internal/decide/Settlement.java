package dev.weir.http.internal.decide;

import dev.weir.http.Cost;
import dev.weir.http.Rule;
import dev.weir.http.spi.Completion.Response;
import dev.weir.internal.permit.Permits;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The end of one decision, when its response has ended. The charges are reconciled with the cost of
 * the response, and then the permits that were kept are released. The cost is zero if the response
 * does not count, or else the bytes of its body.
 *
 * <p>The request was charged before its response. Peeking and then acquiring would be a race: all
 * requests that peek at once would pass. Several rules may have charged one counter with one sum.
 * The cost of that counter is then the sum of what each rule has cost. If the cost is less, the
 * difference is refunded. If it is more, the difference is debited. The store is always given the
 * whole grant: what a bucket has refilled since is a part of that, and not of the difference.
 *
 * @param deadline within which the store must do all of this, or accept to do it later
 */
public record Settlement(
    LimitStore store, Duration deadline, RuleEvents events, JointDecision joint) {

  /**
   * The end of a response: what it was unless unknown, and its body's bytes if they are counted.
   */
  public record Ended(Optional<Response> response, long bodyBytes) {

    OptionalInt status() {
      return response.isEmpty() ? OptionalInt.empty() : OptionalInt.of(response.get().status());
    }
  }

  /** Returns whether a rule reads more of the response than its status. */
  public boolean readsMoreThanStatus() {
    for (Rule rule : joint.rules()) {
      if (rule.counted().readMoreThanStatus()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns what the rules of these settlements read of a response, whose container may reuse it
   * soon. Empty where the container throws: then the response is unknown.
   */
  public static Optional<Response> copyOf(Response response, List<Settlement> settlements) {
    List<Settlement> reading =
        settlements.stream().filter(Settlement::readsMoreThanStatus).toList();
    try {
      Map<String, Object> attributes = new HashMap<>();
      for (Settlement settlement : reading) {
        for (Rule rule : settlement.joint.rules()) {
          for (String name : rule.counted().attribute().stream().toList()) {
            Object value = response.attribute(name);
            if (value instanceof Boolean || value instanceof String) {
              attributes.put(name, value);
            }
          }
        }
      }
      return Optional.of(
          reading.isEmpty()
              ? Response.of(response.status())
              : new Copy(
                  response.status(), response.redirects(), response.isComplete(), attributes));
    } catch (RuntimeException e) {
      settlements.forEach(settlement -> settlement.events().failed("a response is unknown", e));
      return Optional.empty();
    }
  }

  private record Copy(
      int status, List<String> redirects, boolean isComplete, Map<String, Object> attributes)
      implements Response {

    @Override
    public @Nullable Object attribute(String name) {
      return attributes.get(name);
    }
  }

  /** Returns whether anything is left to do for this decision when the response has ended. */
  static boolean isNeededFor(JointDecision joint) {
    return joint.hold().isPresent() || isAdjustable(joint);
  }

  /** Returns whether any response could cost something else than what was charged. */
  private static boolean isAdjustable(JointDecision joint) {
    boolean isNeeded = false;
    for (int i = 0; i < joint.rules().size(); i++) {
      isNeeded |= isChangeable(joint.rules().get(i));
    }
    return isNeeded && !joint.receipt().grants().isEmpty();
  }

  private static boolean isChangeable(Rule rule) {
    return isOfBytes(rule) || !rule.counted().areAll();
  }

  private static boolean isOfBytes(Rule rule) {
    return rule.cost() instanceof Cost.OfResponse;
  }

  /** Returns whether it requires the number of bytes of the body. */
  public boolean wantsBytes() {
    return isAdjustable(joint) && joint.rules().stream().anyMatch(Settlement::isOfBytes);
  }

  /** Releases and refunds all, because the request does not run. */
  void undo() {
    joint.hold().ifPresent(Permits::close);
    List<Grant> consumed = joint.receipt().consumed().grants();
    if (!consumed.isEmpty()) {
      adjust(new Adjustment.Refund(part(consumed)), Deadline.after(deadline), joint.rules());
    }
  }

  /** Settles what the response has cost. Throws nothing. */
  public void ended(Ended response) {
    if (isAdjustable(joint)) {
      reconcile(response);
    }
    joint.hold().ifPresent(Permits::close);
  }

  private void reconcile(Ended response) {
    Map<Long, List<Grant>> bySpent = new TreeMap<>();
    for (Grant grant : joint.receipt().consumed().grants()) {
      Counter counter = grant.charge().counter();
      long spent = joint.charged().stream().mapToLong(one -> one.spentOf(counter, response)).sum();
      if (spent != grant.charge().permits()) {
        bySpent.computeIfAbsent(spent, permits -> new ArrayList<>()).add(grant);
      }
    }
    Deadline due = Deadline.after(deadline);
    List<Rule> changeable = joint.rules().stream().filter(Settlement::isChangeable).toList();
    bySpent.forEach(
        (spent, grants) -> {
          Receipt part = part(grants);
          boolean isFree = spent == 0;
          adjust(
              isFree ? new Adjustment.Refund(part) : new Adjustment.Reconcile(part, spent),
              due,
              changeable);
        });
  }

  private Receipt part(List<Grant> grants) {
    return new Receipt(joint.receipt().source(), grants);
  }

  private void adjust(Adjustment adjustment, Deadline due, List<Rule> rules) {
    try {
      store.adjust(adjustment, due);
    } catch (StoreUnavailableException e) {
      events.lost(rules, e);
    } catch (RuntimeException e) {
      events.failed("settlement failed", e);
    }
  }
}

package dev.weir.http;

import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A listener to what rules decide about requests, and to the stores that they count in, for metrics
 * and audit. Methods are called on the threads that do the work. For a request that has waited,
 * that may be a thread which other requests depend on. They must be quick and thread-safe, and must
 * not block. What a method throws is logged and otherwise ignored, except a {@link
 * VirtualMachineError}.
 */
public interface RuleListener extends LimiterListener {

  /** The listener that ignores everything. */
  RuleListener NONE =
      new RuleListener() {
        @Override
        public boolean receivesDecisions() {
          return false;
        }
      };

  /**
   * Called when one decision was made for all rules that applied together.
   *
   * @param rules when it is allowed, all that had not been decided for the request before. When it
   *     is denied, the one that denied it: the first that has banned its subject, or else the first
   *     with the limit that binds
   * @param outcome {@link RuleOutcome#SHADOW_DENIED} if the rule is a {@linkplain Rule#isShadow
   *     shadow}, which denies nothing
   * @param decision with the limit's own wait. A client of a shared counter may be told a later
   *     one, so that not all of them retry at once. Empty where the rules decide without counting:
   *     the client is on a list, or has a tier without limits
   */
  default void onRequestDecided(
      List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {}

  /**
   * Called when the wait of a request for these rules has ended. A request that was allowed or
   * denied at once has no wait. {@link #onRequestDecided} is called too, unless it has left.
   *
   * @param rules those that delay, of the rules that were decided together
   * @param waited how long the request has waited
   */
  default void onWaited(List<Rule> rules, WaitEnd end, Duration waited) {}

  /**
   * Called when a request was shed, since this node has as many requests as it can serve. Nothing
   * was decided about it, and nothing was charged.
   */
  default void onShed() {}

  /**
   * Called when the refund of a wrong charge by these rules was lost. It could neither be made in
   * time nor be queued for later, or its outcome is unknown. That only under-admits. For a rule by
   * response bytes, the lost change is the difference from the reserve. A lost debit over-admits by
   * as much.
   */
  default void onRefundLost(List<Rule> rules, StoreUnavailableException why) {}

  /** How the wait of a request has ended. */
  enum WaitEnd {
    /** It has its permits. */
    SERVED,
    /** It was denied: others before it took longer, the store failed, or the node stops. */
    REFUSED,
    /** It has left the queue: its client has gone, or its container has ended it. */
    LEFT
  }

  /** What a decision meant for a request, by the rules that were decided together. */
  enum RuleOutcome {
    /** The rules let it pass. */
    ALLOWED,
    /** A rule rejected it, or degraded it. */
    DENIED,
    /**
     * A shadow would have denied it. The shadow changed nothing; other rules may have denied it.
     */
    SHADOW_DENIED,
    /** A rule rejected it before any limit was charged, because the rule has banned its subject. */
    BANNED
  }
}

package dev.weir;

import dev.weir.internal.GuardedListener;
import java.time.Duration;
import java.util.List;

/**
 * A listener to what a limiter does, for metrics and audit. Methods are called on the threads that
 * do the work. They must be quick and thread-safe, and must not block. What a method throws is
 * logged and otherwise ignored, except a {@link VirtualMachineError}.
 */
public interface LimiterListener {

  /** The listener that ignores everything. */
  LimiterListener NONE =
      new LimiterListener() {
        @Override
        public boolean receivesDecisions() {
          return false;
        }
      };

  /**
   * Returns a listener that throws nothing but a {@link VirtualMachineError}. What else the other
   * listener throws is logged, at first as a warning.
   */
  static LimiterListener guarded(LimiterListener listener) {
    return listener == NONE || listener instanceof GuardedListener
        ? listener
        : new GuardedListener(listener);
  }

  /**
   * Returns whether this is notified of decisions at present. If not, no clock is read for it, and
   * {@link #onDecision} and {@link #onRequestDecided} are not called. When this throws, the answer
   * is taken as no.
   */
  default boolean receivesDecisions() {
    return true;
  }

  /**
   * Called when a decision was made, took this long, and is about to be returned. This includes
   * peeks.
   */
  default void onDecision(AcquireRequest request, Decision decision, Duration took) {}

  /**
   * Called when a request was allowed or denied by these rules, as {@code WeirStatus.Decisions}
   * counts.
   *
   * @param rules their names; a rule that denies is alone
   * @param outcome {@link RuleOutcome#SHADOW_DENIED} if the rule is a shadow, which denies nothing
   * @param decision with the limit's own wait. A client of a counter that others share may be told
   *     a later one, so that not all of them retry at once
   */
  default void onRequestDecided(List<String> rules, RuleOutcome outcome, Decision decision) {}

  /**
   * Called when a Redis primary is out, or decides again. In a cluster, the other primaries may
   * decide as before. The call is on a thread that serves no request. So it may come a moment after
   * the first decision of the other store.
   *
   * @param now {@link Source#REDIS} or {@link Source#LOCAL}
   * @param why one line, without any secret
   */
  default void onStoreSwitched(Source now, String why) {}

  /**
   * Called when the shared store was probed while it was out.
   *
   * @param succeeded whether the probe wrote
   * @param detail one line, without any secret
   */
  default void onProbe(boolean succeeded, String detail) {}

  /**
   * Called when the refund of a wrong charge by these rules was lost. It could neither be made in
   * time nor be queued for later, or its outcome is unknown. That only under-admits. For a rule by
   * response bytes, the lost change is the difference from the reserve. A lost debit over-admits by
   * as much.
   *
   * @param rules their names
   */
  default void onRefundLost(List<String> rules, StoreUnavailableException why) {}

  /**
   * Called when a request was shed, since this node has as many requests as it can serve. Nothing
   * was decided about it, and nothing was charged.
   */
  default void onShed() {}

  /**
   * Called when held permits were lost before they were closed. They were not renewed in time, or
   * their counter was reset. From now on others may hold them too.
   */
  default void onPermitsLost(Receipt held) {}

  /**
   * Called when something failed that should not have, other than an outage: a bug or a wrong
   * configuration.
   *
   * @param error its message may hold a client's secrets: {@link Failures#brief} is fit for a log
   */
  default void onError(String what, Throwable error) {}
}

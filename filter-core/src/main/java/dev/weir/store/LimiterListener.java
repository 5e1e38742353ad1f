package dev.weir.store;

import dev.weir.store.Decision.Receipt;
import java.time.Duration;

/**
 * A listener to what a limiter does, for metrics and audit. Methods are called on the threads that
 * do the work. They must be quick and thread-safe, and must not block. What a method throws is
 * logged and otherwise ignored, except a {@link VirtualMachineError}.
 *
 * <p>A listener belongs to a store or to a limiter, and they report different things:
 *
 * <ul>
 *   <li>The listener of a store ({@link dev.weir.Stores.Builder#listener}) is notified of its
 *       outages, probes and errors, and of every decision that the store returns. A store with a
 *       fallback also decides by the policies {@link OnOutage#ALLOW} and {@link OnOutage#DENY}.
 *   <li>The listener of a limiter ({@code withListener} of {@link dev.weir.TokenLimiter} and the
 *       others) is notified of its decisions, and of what it loses: held permits and adjustments.
 *       If the store makes no decision, the outage policy does, and only this listener is notified.
 *       The source is then {@link Source#FAIL_OPEN} or {@link Source#FAIL_CLOSED}.
 * </ul>
 *
 * <p>A decision of the store is reported to both. To be notified of each once, give the limiters
 * one listener, and the store another whose {@link #receivesDecisions} is false.
 *
 * <p>A listener may log, if the logger does not wait for a disk or the network. {@link #onDecision}
 * delays the request on whose thread it is called, so count there, or put the decision into a
 * queue. Outages are also logged, once each, by {@link System.Logger} under {@code dev.weir}.
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
   * Returns whether this is notified of decisions at present. If not, no clock is read for it, and
   * {@link #onDecision} is not called. When this throws, the answer is taken as no.
   */
  default boolean receivesDecisions() {
    return true;
  }

  /**
   * Called when a decision was made, and how long it took. The store has made it. For the listener
   * of a limiter, the outage policy may have made it. This includes peeks, and the permits that
   * {@link dev.weir.Limiter#reserve} takes. The end of a reservation is no decision.
   *
   * <p>A request that waits may need several decisions, where the store keeps no queue for its
   * limit: denials among them may precede a grant, and their retry-after is the store's own.
   */
  default void onDecision(AcquireRequest request, Decision decision, Duration took) {}

  /**
   * Called when a Redis primary is out, or decides again. In a cluster, the other primaries may
   * decide as before. The call is on a thread that serves no request. So it may come a moment after
   * the first decision of the other store. Only the listener of a store is notified.
   *
   * <p>This reports a primary, and no single decision. While all primaries decide, this process may
   * decide about one request that was out of time or failed alone. {@link Decision#source} returns
   * what has made a decision. {@link dev.weir.FailoverLimitStore} says when this process decides.
   *
   * @param now {@link Source#REDIS}; or {@link Source#LOCAL} when it is out, whatever decides then
   * @param why one line, without any secret
   */
  default void onStoreSwitched(Source now, String why) {}

  /**
   * Called when the shared store was probed while it was out. Only the listener of a store is
   * notified.
   *
   * @param succeeded whether the probe wrote
   * @param detail one line, without any secret
   */
  default void onProbe(boolean succeeded, String detail) {}

  /**
   * Called when held permits were lost before they were closed. They were not renewed in time, or
   * their counter was reset. From now on others may hold them too. Only the listener of a limiter
   * is notified.
   */
  default void onPermitsLost(Receipt held) {}

  /**
   * Called when permits could not be settled: the end of a reservation, or the refund of a wait
   * that was cancelled. The change was sent to the store and not answered, or the store is closed.
   * The permits then count as they were granted. A change that could not be sent is made later
   * instead, in the background. If it is lost there, a line of the log counts it. Only the listener
   * of a limiter is notified.
   */
  default void onAdjustmentLost(Adjustment.OfReceipt lost, StoreUnavailableException why) {}

  /**
   * Called when something failed that should not have, other than an outage: a bug or a wrong
   * configuration. The listener of a store is notified of what fails in the store. The listener of
   * a limiter is notified only when a bug has prevented a renewal, a release, or the refund of a
   * wait that was cancelled.
   *
   * @param error its message may hold a client's secrets: its type and place are fit for a log
   */
  default void onError(String what, Throwable error) {}
}

package dev.weir;

import java.time.Duration;
import java.util.List;

/**
 * Hears what a limiter does, for metrics and audit. Methods are called on the threads that do the
 * work: they must be quick, thread-safe, and not block. One that throws is logged and otherwise
 * ignored.
 */
public interface LimiterListener {

  /** Hears nothing. */
  LimiterListener NONE =
      new LimiterListener() {
        @Override
        public boolean hearsDecisions() {
          return false;
        }
      };

  /** A listener that never throws: what the other one throws is logged, at first as a warning. */
  static LimiterListener guarded(LimiterListener listener) {
    return listener == NONE || listener instanceof GuardedListener
        ? listener
        : new GuardedListener(listener);
  }

  /**
   * Whether this hears decisions at present. Where it does not, no clock is read for it, and {@link
   * #onDecision} and {@link #onRequestDecided} are not called.
   */
  default boolean hearsDecisions() {
    return true;
  }

  /** A decision was made, took this long, and is about to be answered; a look is one as well. */
  default void onDecision(Ask ask, Decision decision, Duration took) {}

  /**
   * A request was allowed or denied by these rules, as {@code WeirStatus.Decisions} counts.
   *
   * @param rules their names; one that denies is alone
   */
  default void onRequestDecided(List<String> rules, Decision decision) {}

  /**
   * The store that decides has changed. Told on a thread that serves no request, so perhaps a
   * moment after the first decision of the other store.
   *
   * @param now {@link Source#REDIS} or {@link Source#LOCAL}
   * @param why one line, without any secret
   */
  default void onStoreSwitched(Source now, String why) {}

  /**
   * The shared store was probed while it was out.
   *
   * @param succeeded whether the probe wrote
   * @param detail one line, without any secret
   */
  default void onProbe(boolean succeeded, String detail) {}

  /**
   * What a request was charged by these rules, and should not have been, could not be given back in
   * time nor be queued for later, or it is unknown whether it was given back. That only
   * under-admits. Of a rule by response bytes, it is the difference from the reserve that is lost:
   * one that was to be owed over-admits by as much.
   *
   * @param rules their names
   */
  default void onGiveBackLost(List<String> rules, StoreUnavailableException why) {}

  /**
   * A request was turned away since this node has as many as it can serve. Nothing was decided
   * about it, and nothing charged.
   */
  default void onShed() {}

  /**
   * A hold has ended that nobody has closed: its lease was not renewed in time, or its counter was
   * reset. What it protects may from now on run more often than the limit says.
   */
  default void onHoldLost(Receipt held) {}

  /**
   * Something failed that should not have, other than an outage: a bug or a wrong set-up.
   *
   * @param error its message may hold a client's secrets: {@link Failures#brief} is fit for a log
   */
  default void onError(String what, Throwable error) {}
}

package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Failures;
import dev.weir.StoreUnavailableException;
import java.util.List;

/**
 * Hears what rules decide, for metrics. Methods are called on the request's thread or, of one that
 * has waited, on one that others wait for: they must be quick, thread-safe, and not block. One that
 * throws is logged and otherwise ignored.
 */
public interface RuleListener {

  /** Hears nothing. */
  RuleListener NONE = new RuleListener() {};

  /**
   * One decision was made for all rules that applied together.
   *
   * @param rules when it is allowed, all that had not been decided for the request before; when it
   *     is denied, the one that denied it: the first whose limit binds
   */
  default void onDecision(List<Rule> rules, Decision decision) {}

  /**
   * A request has waited for one of these rules at least, and was let in; {@link #onDecision} has
   * just been told.
   *
   * @param rules those that delay, of them that were decided together
   */
  default void onDelayed(List<Rule> rules) {}

  /** A request was turned away since the node has as many as it can serve; nothing was decided. */
  default void onShed() {}

  /**
   * What these rules charged for a response that does not count could not be given back, because of
   * an outage, or it is unknown whether it was. Their clients are admitted less often for it, never
   * more. Of a rule by response bytes, it is the difference from the reserve that is lost, either
   * way.
   */
  default void onRefundLost(List<Rule> rules, StoreUnavailableException why) {}

  /**
   * Something failed that should not have: a subject's function, or a store other than by an
   * outage. The request was answered nevertheless.
   *
   * @param what one line, without any secret
   * @param error its message may hold a client's secrets: {@link Failures#brief} is fit for a log
   */
  default void onError(String what, Throwable error) {}
}

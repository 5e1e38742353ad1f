package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Failures;
import dev.weir.StoreUnavailableException;
import java.util.List;

/**
 * A listener for the decisions of rules, for metrics. Its methods run on the request's thread. For
 * a request that has waited, they may run on a thread that other requests depend on. They must be
 * quick and thread-safe, and must not block. What a method throws is logged and otherwise ignored,
 * except a {@link VirtualMachineError}.
 */
public interface RuleListener {

  /** A listener that does nothing. */
  RuleListener NONE = new RuleListener() {};

  /**
   * One decision was made for all rules that applied together.
   *
   * @param rules when it is allowed, all that had not been decided for the request before. When it
   *     is denied, the one that denied it: the first with the limit that binds. A {@linkplain
   *     Rule#isShadow shadow} only would have denied it
   * @param decision with the limit's own wait. A client of a shared counter may be told a later
   *     one, so that not all of them retry at once
   */
  default void onDecision(List<Rule> rules, Decision decision) {}

  /**
   * A request has waited for at least one of these rules, and was allowed. {@link #onDecision} was
   * called just before.
   *
   * @param rules those that delay, of the rules that were decided together
   */
  default void onDelayed(List<Rule> rules) {}

  /** A request was shed, because the node is at its capacity. Nothing was decided. */
  default void onShed() {}

  /**
   * The charges of these rules for a response that does not count were not refunded because of an
   * outage, or the outcome is unknown. As a result, their clients are allowed fewer requests, never
   * more. If the cost of a rule is the bytes of the response, the difference from the reserve is
   * lost, in either direction.
   */
  default void onRefundLost(List<Rule> rules, StoreUnavailableException why) {}

  /**
   * An unexpected failure: of a subject's function, or of a store other than by an outage. The
   * request was answered nevertheless.
   *
   * @param what one line, without any secret
   * @param error its message may contain a client's secrets: {@link Failures#brief} is fit for a
   *     log
   */
  default void onError(String what, Throwable error) {}
}

package dev.weir.http.internal.decide;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Failures;
import dev.weir.StoreUnavailableException;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reports events to the listener and the log, and never fails because of them. The first failure of
 * each kind is logged as a warning. Further ones are logged only at debug level, as each denial is.
 */
public final class RuleEvents {

  private static final Logger LOG = System.getLogger("dev.weir.http");

  private final RuleListener listener;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Creates the events of this listener. */
  public RuleEvents(RuleListener listener) {
    this.listener = listener;
  }

  /** Reports a decision of these rules. */
  public void decided(List<Rule> rules, Decision decision) {
    try {
      listener.onDecision(rules, decision);
    } catch (RuntimeException e) {
      log("listener failed", e);
    }
  }

  /** Reports a decision. If the request was allowed after a wait, reports that too. */
  public void decided(RuleDecision answered) {
    List<Rule> rules = answered.allowed() ? answered.rules() : List.of(answered.denying());
    decided(rules, answered.decision());
    if (!answered.allowed()) {
      LOG.log(Level.DEBUG, () -> denial(answered.denying(), answered.decision()));
    }
    List<Rule> delaying = answered.delaying();
    if (!delaying.isEmpty()) {
      delayed(delaying);
    }
  }

  /**
   * Describes a denial. It has the kinds of the subject, and no value that a client has sent. The
   * wait is the limit's own, which may be shorter than what the client is told.
   */
  private static String denial(Rule rule, Decision decision) {
    String what =
        rule.kind() == Rule.Kind.SHADOW ? "would be denied by the shadow " : "denied by rule ";
    String limit =
        decision instanceof Decision.Counted counted ? limit(counted.binding().counter()) : "";
    String retry = decision.retryAfter().map(time -> ", retry after " + time).orElse("");
    return what + rule.name() + limit + ", source " + decision.source() + retry;
  }

  private static String limit(Counter counter) {
    return ", limit " + counter.name() + " (" + counter.limit() + ") of " + counter.subject();
  }

  private void delayed(List<Rule> rules) {
    try {
      listener.onDelayed(rules);
    } catch (RuntimeException e) {
      log("listener failed", e);
    }
  }

  /** Reports a request that the node had no room for. */
  public void shed() {
    try {
      listener.onShed();
    } catch (RuntimeException e) {
      log("listener failed", e);
    }
  }

  /** Reports that the charges of these rules were not reconciled with the cost of the response. */
  void lost(List<Rule> rules, StoreUnavailableException why) {
    log("what a response has cost is not settled", why);
    try {
      listener.onRefundLost(rules, why);
    } catch (RuntimeException e) {
      log("listener failed", e);
    }
  }

  /**
   * Reports an error that this library has survived.
   *
   * @param what a text of this library, from a finite set
   */
  public void failed(String what, Throwable error) {
    log(what, error);
    try {
      listener.onError(what, error);
    } catch (RuntimeException e) {
      log("listener failed", e);
    }
  }

  private void log(String what, Throwable error) {
    Level level = known.add(what) ? Level.WARNING : Level.DEBUG;
    LOG.log(level, () -> what + ": " + Failures.brief(error));
  }
}

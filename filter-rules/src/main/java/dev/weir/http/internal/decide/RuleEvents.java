package dev.weir.http.internal.decide;

import dev.weir.http.OnDenial;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.RuleListener.WaitEnd;
import dev.weir.http.internal.report.RequestTally;
import dev.weir.internal.store.Failures;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts events, reports them to the listener and the log, and never fails because of them, except
 * by a {@link VirtualMachineError}. The first failure of each kind is logged as a warning. Further
 * ones are logged only at debug level, as each denial is.
 */
public final class RuleEvents {

  private static final Logger LOG = System.getLogger("dev.weir.http");

  private final RuleListener listener;
  private final RequestTally tally;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  public RuleEvents(RuleListener listener, RequestTally tally) {
    this.listener = listener;
    this.tally = tally;
  }

  /** Reports that these rules do not limit the client, while others do. */
  public void exempted(List<Rule> rules) {
    decided(rules, RuleOutcome.ALLOWED, null);
  }

  /** Reports a decision that allows its request. */
  public void allowed(JointDecision joint) {
    decided(joint.rules(), RuleOutcome.ALLOWED, joint.decision());
  }

  /** Reports the end of a wait for these rules. */
  void waited(List<Rule> rules, WaitEnd end, Duration waited) {
    List<Rule> delaying =
        rules.stream().filter(rule -> rule.onDenial() instanceof OnDenial.Delay).toList();
    if (end == WaitEnd.SERVED) {
      tally.delayed(delaying);
    }
    tell(to -> to.onWaited(delaying, end, waited));
  }

  /** Reports a decision that denies its request, or would if its rule were no shadow. */
  public void denied(JointDecision joint) {
    Rule denying = joint.denying();
    RuleOutcome denial = denying.isShadow() ? RuleOutcome.SHADOW_DENIED : RuleOutcome.DENIED;
    RuleOutcome outcome = joint.banning().isPresent() ? RuleOutcome.BANNED : denial;
    decided(List.of(denying), outcome, joint.decision());
    LOG.log(Level.DEBUG, () -> denial(denying, joint));
  }

  private void decided(List<Rule> rules, RuleOutcome outcome, @Nullable Decision decision) {
    tally.decided(rules, outcome, decision);
    tell(to -> to.onRequestDecided(rules, outcome, Optional.ofNullable(decision)));
  }

  /**
   * Describes a denial. It has the kinds of the subject, and no value that a client has sent. The
   * wait is the limit's own, which may be shorter than what the client is told.
   */
  private static String denial(Rule rule, JointDecision joint) {
    String what = rule.isShadow() ? "would be denied by the shadow " : "denied by rule ";
    Optional<Counter> counter = joint.counted().map(it -> it.binding().counter());
    String limit =
        counter
            .map(it -> ", limit " + it.name() + " (" + it.limit() + ") of " + it.subject())
            .orElse("");
    Optional<Decision> decision = Optional.ofNullable(joint.decision());
    String source = decision.map(it -> it.source().name()).orElse("RULE");
    String retry =
        decision.flatMap(Decision::retryAfter).map(time -> ", retry after " + time).orElse("");
    return what + rule.name() + limit + ", source " + source + retry;
  }

  /** Reports a request that the node had no room for. */
  public void shed() {
    tell(RuleListener::onShed);
  }

  /** Reports that the charges of these rules were not reconciled with the cost of the response. */
  void lost(List<Rule> rules, StoreUnavailableException why) {
    log("what a response has cost is not settled", why);
    tell(to -> to.onRefundLost(rules, why));
  }

  /** Reports an error that this library has survived, by a text from a finite set. */
  public void failed(String what, Throwable error) {
    log(what, error);
    tell(to -> to.onError(what, error));
  }

  private void tell(Consumer<RuleListener> event) {
    try {
      event.accept(listener);
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (Exception | Error failure) {
      log("listener failed", failure);
    }
  }

  private void log(String what, Throwable error) {
    Level level = known.add(what) ? Level.WARNING : Level.DEBUG;
    LOG.log(level, () -> what + ": " + Failures.brief(error));
  }
}

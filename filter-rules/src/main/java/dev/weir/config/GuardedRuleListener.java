package dev.weir.config;

import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.internal.store.GuardedListener;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import java.util.List;
import java.util.Optional;

/** A guarded listener that knows the events of rules too. */
final class GuardedRuleListener extends GuardedListener<RuleListener> implements RuleListener {

  @Override
  public void onRequestDecided(List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
    tell(one -> one.onRequestDecided(rules, outcome, decision));
  }

  @Override
  public void onDelayed(List<Rule> rules) {
    tell(one -> one.onDelayed(rules));
  }

  @Override
  public void onShed() {
    tell(RuleListener::onShed);
  }

  @Override
  public void onRefundLost(List<Rule> rules, StoreUnavailableException why) {
    tell(one -> one.onRefundLost(rules, why));
  }
}

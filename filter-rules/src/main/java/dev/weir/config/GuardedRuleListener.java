package dev.weir.config;

import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.internal.store.GuardedListener;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A guarded listener that knows the events of rules too, and counts rare ones first. */
final class GuardedRuleListener extends GuardedListener<RuleListener> implements RuleListener {

  private final EventCounts events;

  GuardedRuleListener(EventCounts events) {
    this.events = events;
  }

  @Override
  public void onRequestDecided(List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
    tell(one -> one.onRequestDecided(rules, outcome, decision));
  }

  @Override
  public void onWaited(List<Rule> rules, WaitEnd end, Duration waited) {
    tell(one -> one.onWaited(rules, end, waited));
  }

  @Override
  public void onShed() {
    tell(RuleListener::onShed);
  }

  @Override
  public void onRefundLost(List<Rule> rules, StoreUnavailableException why) {
    events.refundLost(rules);
    tell(one -> one.onRefundLost(rules, why));
  }

  @Override
  public void onStoreSwitched(Source now, String why) {
    events.switched(now);
    super.onStoreSwitched(now, why);
  }

  @Override
  public void onProbe(boolean succeeded, String detail) {
    events.probed(succeeded);
    super.onProbe(succeeded, detail);
  }

  @Override
  public void onPermitsLost(Decision.Receipt held) {
    events.permitsLost();
    super.onPermitsLost(held);
  }

  @Override
  public void onError(String what, Throwable error) {
    events.failed();
    super.onError(what, error);
  }
}

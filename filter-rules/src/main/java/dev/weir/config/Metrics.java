package dev.weir.config;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.RuleOutcome;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.config.WeirStatus.Decisions;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts decisions, and requests that were allowed after a wait. The labels come only from the
 * configuration and from enums, so no client can make it grow.
 */
final class Metrics implements RuleListener {

  private record Label(String rule, RuleOutcome outcome, Source source) {}

  private static final Comparator<Decisions> ORDER =
      Comparator.comparing(Decisions::rule)
          .thenComparing(Decisions::outcome)
          .thenComparing(Decisions::source);

  private final ConcurrentMap<Label, LongAdder> counts = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, LongAdder> delayed = new ConcurrentHashMap<>();
  private final LimiterListener listener;

  Metrics(LimiterListener listener) {
    this.listener = listener;
  }

  @Override
  public void onDecision(List<Rule> rules, Decision decision) {
    RuleOutcome outcome = outcome(rules, decision);
    for (int i = 0; i < rules.size(); i++) {
      count(new Label(rules.get(i).name(), outcome, decision.source()));
    }
    if (listener.receivesDecisions()) {
      listener.onRequestDecided(rules.stream().map(Rule::name).toList(), outcome, decision);
    }
  }

  /** Returns the outcome. A rule that denies is alone, and so is a shadow. */
  private static RuleOutcome outcome(List<Rule> rules, Decision decision) {
    if (decision.allowed()) {
      return RuleOutcome.ALLOWED;
    }
    return rules.get(0).isShadow() ? RuleOutcome.SHADOW_DENIED : RuleOutcome.DENIED;
  }

  /** Reads first, because {@code computeIfAbsent} may lock even if the entry exists. */
  private void count(Label label) {
    LongAdder known = counts.get(label);
    LongAdder count = known == null ? counts.computeIfAbsent(label, it -> new LongAdder()) : known;
    count.increment();
  }

  @Override
  public void onDelayed(List<Rule> rules) {
    for (Rule rule : rules) {
      delayed.computeIfAbsent(rule.name(), name -> new LongAdder()).increment();
    }
  }

  @Override
  public void onShed() {
    listener.onShed();
  }

  @Override
  public void onRefundLost(List<Rule> rules, StoreUnavailableException why) {
    listener.onRefundLost(rules.stream().map(Rule::name).toList(), why);
  }

  @Override
  public void onError(String what, Throwable error) {
    listener.onError(what, error);
  }

  Map<String, Long> delayed() {
    Map<String, Long> sums = new TreeMap<>();
    delayed.forEach((rule, count) -> sums.put(rule, count.sum()));
    return sums;
  }

  List<Decisions> decisions() {
    return counts.entrySet().stream()
        .map(
            entry ->
                new Decisions(
                    entry.getKey().rule(),
                    entry.getKey().outcome(),
                    entry.getKey().source(),
                    entry.getValue().sum()))
        .sorted(ORDER)
        .toList();
  }
}

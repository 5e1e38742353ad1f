package dev.weir.config;

import dev.weir.config.WeirStatus.Decisions;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts decisions, and requests that were allowed after a wait. The labels come only from the
 * configuration and from enums, so no client can make it grow.
 */
final class Metrics implements RuleListener {

  private record Label(String rule, RuleOutcome outcome, Optional<Source> source) {}

  private static final Comparator<Decisions> ORDER =
      Comparator.comparing(Decisions::rule)
          .thenComparing(Decisions::outcome)
          .thenComparing(one -> one.source().map(Enum::ordinal).orElse(Integer.MAX_VALUE));

  private final ConcurrentMap<Label, LongAdder> counts = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, LongAdder> delayed = new ConcurrentHashMap<>();

  /** Returns false: it counts what rules decide, and times nothing. */
  @Override
  public boolean receivesDecisions() {
    return false;
  }

  @Override
  public void onRequestDecided(List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
    Optional<Source> source = decision.map(Decision::source);
    for (int i = 0; i < rules.size(); i++) {
      count(new Label(rules.get(i).name(), outcome, source));
    }
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

package dev.weir.config;

import dev.weir.http.Rule;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import java.util.ArrayList;
import java.util.Arrays;
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
@SuppressWarnings("EnumOrdinal") // indices of arrays that live as long as the enums do
final class Metrics {

  private static final RuleOutcome[] OUTCOMES = RuleOutcome.values();
  private static final Source[] SOURCES = Source.values();

  /** The counts of each rule: for each outcome those of each source, and last those of none. */
  private final ConcurrentMap<String, LongAdder[][]> counts = new ConcurrentHashMap<>();

  private final ConcurrentMap<String, LongAdder> delayed = new ConcurrentHashMap<>();

  void decided(List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
    int source = decision.isPresent() ? decision.get().source().ordinal() : SOURCES.length;
    for (int i = 0; i < rules.size(); i++) {
      String rule = rules.get(i).name();
      LongAdder[][] known = counts.get(rule); // computeIfAbsent may lock even if the entry exists
      LongAdder[][] ofRule = known == null ? counts.computeIfAbsent(rule, it -> zeros()) : known;
      ofRule[outcome.ordinal()][source].increment();
    }
  }

  private static LongAdder[][] zeros() {
    LongAdder[][] zeros = new LongAdder[OUTCOMES.length][SOURCES.length + 1];
    for (LongAdder[] ofOutcome : zeros) {
      Arrays.setAll(ofOutcome, source -> new LongAdder());
    }
    return zeros;
  }

  void delayed(List<Rule> rules) {
    for (Rule rule : rules) {
      delayed.computeIfAbsent(rule.name(), name -> new LongAdder()).increment();
    }
  }

  Map<String, Long> delayed() {
    Map<String, Long> sums = new TreeMap<>();
    delayed.forEach((rule, count) -> sums.put(rule, count.sum()));
    return sums;
  }

  /** Returns what was counted, by rule, outcome and source. */
  List<WeirStatus.Decisions> decisions() {
    List<WeirStatus.Decisions> decisions = new ArrayList<>();
    new TreeMap<>(counts)
        .forEach(
            (rule, ofRule) -> {
              for (RuleOutcome outcome : OUTCOMES) {
                for (int i = 0; i <= SOURCES.length; i++) {
                  long count = ofRule[outcome.ordinal()][i].sum();
                  Optional<Source> source =
                      i < SOURCES.length ? Optional.of(SOURCES[i]) : Optional.empty();
                  if (count > 0) {
                    decisions.add(new WeirStatus.Decisions(rule, outcome, source, count));
                  }
                }
              }
            });
    return decisions;
  }
}

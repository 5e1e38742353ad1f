package dev.weir.http.internal.report;

import dev.weir.http.RequestCounts;
import dev.weir.http.RequestCounts.Decisions;
import dev.weir.http.RequestCounts.Denials;
import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.RequestCounts.TopDenied;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts decisions, and what becomes of requests. Names come from the configuration alone, so no
 * client can make it grow. It belongs to the node, and counts through every reload. Thread-safe.
 */
@SuppressWarnings("EnumOrdinal") // indices of arrays that live as long as the enums do
public final class RequestTally {

  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final RuleOutcome[] RULE_OUTCOMES = RuleOutcome.values();
  private static final Source[] SOURCES = Source.values();

  private final Ticker ticker;
  private final LongAdder[] requests = new LongAdder[OUTCOMES.length];
  private final long[] reported = new long[OUTCOMES.length];

  /** The decisions of each rule: for each outcome those of each source, and last those of none. */
  private final Map<String, LongAdder[][]> decisions = new ConcurrentHashMap<>();

  private final Map<String, LongAdder> delayed = new ConcurrentHashMap<>();
  private final Map<Kind, LongAdder> denials = new ConcurrentHashMap<>();
  private final Map<String, TopSubjects> topDenied = new ConcurrentHashMap<>();

  /** A kind of denial. */
  private record Kind(String rule, String limit, Reason reason, boolean isShadow) {}

  public RequestTally(Ticker ticker) {
    this.ticker = ticker;
    Arrays.setAll(requests, outcome -> new LongAdder());
  }

  /** Counts one decision of these rules. It is null where they have decided without counting. */
  public void decided(List<Rule> rules, RuleOutcome outcome, @Nullable Decision decision) {
    int source = decision == null ? SOURCES.length : decision.source().ordinal();
    for (int i = 0; i < rules.size(); i++) {
      String rule = rules.get(i).name();
      LongAdder[][] known = decisions.get(rule); // computeIfAbsent may lock even for a known key
      LongAdder[][] ofRule = known == null ? decisions.computeIfAbsent(rule, it -> zeros()) : known;
      ofRule[outcome.ordinal()][source].increment();
    }
  }

  private static LongAdder[][] zeros() {
    LongAdder[][] zeros = new LongAdder[RULE_OUTCOMES.length][SOURCES.length + 1];
    for (LongAdder[] ofOutcome : zeros) {
      Arrays.setAll(ofOutcome, source -> new LongAdder());
    }
    return zeros;
  }

  /** Counts a request that was allowed after a wait for these rules. */
  public void delayed(List<Rule> rules) {
    for (Rule rule : rules) {
      delayed.computeIfAbsent(rule.name(), first -> new LongAdder()).increment();
    }
  }

  /**
   * Counts the outcome of a request, in place of the one that it had before. Null is that of a
   * request that no rule has decided yet.
   */
  public void count(@Nullable Outcome before, @Nullable Outcome now) {
    if (before == now) {
      return;
    }
    if (before != null) {
      requests[before.ordinal()].decrement();
    }
    if (now != null) {
      requests[now.ordinal()].increment();
    }
  }

  /** Counts a denial, or what a shadow would have denied. */
  public void count(Denial denial) {
    String rule = denial.rule().name();
    Kind kind = new Kind(rule, denial.limit(), denial.reason(), denial.rule().isShadow());
    denials.computeIfAbsent(kind, first -> new LongAdder()).increment();
    if (!denial.tag().equals(Denial.NONE)) {
      topDenied.computeIfAbsent(rule, first -> new TopSubjects(ticker)).add(denial.tag());
    }
  }

  /** Returns what was counted. */
  public RequestCounts counts() {
    Map<String, Long> waits = new HashMap<>();
    delayed.forEach((rule, count) -> waits.put(rule, count.sum()));
    return new RequestCounts(requests(), decisions(), denials(), waits, topDenied());
  }

  /**
   * Returns the requests by outcome. A number never becomes smaller from one call to the next,
   * since that would look like a restart. It is held until the number has caught up: a request that
   * a later decision has denied was counted as allowed for a moment.
   */
  private synchronized Map<Outcome, Long> requests() {
    Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
    for (Outcome outcome : OUTCOMES) {
      int index = outcome.ordinal();
      reported[index] = Math.max(reported[index], requests[index].sum());
      sums.put(outcome, reported[index]);
    }
    return sums;
  }

  private List<Decisions> decisions() {
    List<Decisions> counts = new ArrayList<>();
    new TreeMap<>(decisions)
        .forEach(
            (rule, ofRule) -> {
              for (RuleOutcome outcome : RULE_OUTCOMES) {
                for (int i = 0; i <= SOURCES.length; i++) {
                  long count = ofRule[outcome.ordinal()][i].sum();
                  if (count > 0) {
                    counts.add(new Decisions(rule, outcome, source(i), count));
                  }
                }
              }
            });
    return counts;
  }

  private static Optional<Source> source(int index) {
    return index < SOURCES.length ? Optional.of(SOURCES[index]) : Optional.empty();
  }

  private List<Denials> denials() {
    List<Denials> counts = new ArrayList<>();
    denials.forEach(
        (kind, count) ->
            counts.add(
                new Denials(
                    kind.rule(), kind.limit(), kind.reason(), kind.isShadow(), count.sum())));
    counts.sort(
        Comparator.comparing(Denials::rule)
            .thenComparing(Denials::limit)
            .thenComparing(Denials::reason));
    return counts;
  }

  private Map<String, List<TopDenied>> topDenied() {
    Map<String, List<TopDenied>> tops = new HashMap<>();
    topDenied.forEach((rule, top) -> tops.put(rule, top.entries()));
    return tops;
  }
}

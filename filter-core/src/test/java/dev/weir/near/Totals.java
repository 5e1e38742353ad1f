package dev.weir.near;

import dev.weir.store.Source;
import java.util.EnumMap;
import java.util.Map;

/** What all nodes together did. */
final class Totals {

  final Map<Source, Long> bySource = new EnumMap<>(Source.class);
  long decisions;
  long batches;
  long unanswered;

  /** What was before does not count. */
  void begin() {
    bySource.clear();
    decisions = 0;
    batches = 0;
    unanswered = 0;
  }

  void decided(Source source) {
    decisions++;
    bySource.merge(source, 1L, Long::sum);
  }

  double batchesPerDecision() {
    return (double) batches / (decisions + unanswered);
  }

  @Override
  public String toString() {
    return "%,d decisions, %,d batches, %.3f each, %s, %d unanswered"
        .formatted(decisions, batches, batchesPerDecision(), bySource, unanswered);
  }
}

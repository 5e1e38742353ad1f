package dev.weir.http;

import dev.weir.http.PathTrie.Entry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one reading of a request hit in the index; allocates nothing until something is hit. */
final class Hits {

  /** By rule, and within a rule by the order of its patterns. */
  static final Comparator<Entry> IN_ORDER =
      Comparator.comparingInt(Entry::rule).thenComparingInt(Entry::position);

  private final String method;
  private @Nullable List<Entry> matched;
  private @Nullable BitSet excepted;
  private int nodesVisited;
  private int segmentsCompared;

  Hits(String method) {
    this.method = method;
  }

  void visited() {
    nodesVisited++;
  }

  void compared() {
    segmentsCompared++;
  }

  /** The work done so far, in nodes and comparisons: what must not grow with the rules. */
  int work() {
    return nodesVisited + segmentsCompared;
  }

  void add(Entry entry) {
    if (!entry.pattern().accepts(method)) {
      return;
    }
    if (entry.exception()) {
      except(entry.rule());
    } else {
      match(entry);
    }
  }

  /** What matched and is not excepted, in no order; a rule may stand here more than once. */
  List<Entry> applying() {
    List<Entry> hits = matched;
    if (hits == null) {
      return List.of();
    }
    BitSet exceptions = excepted;
    if (exceptions != null) {
      hits.removeIf(entry -> exceptions.get(entry.rule()));
    }
    return hits;
  }

  private void match(Entry entry) {
    if (matched == null) {
      matched = new ArrayList<>(4);
    }
    matched.add(entry);
  }

  private void except(int rule) {
    if (excepted == null) {
      excepted = new BitSet();
    }
    excepted.set(rule);
  }
}

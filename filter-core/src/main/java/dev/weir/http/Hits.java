package dev.weir.http;

import dev.weir.http.PathTrie.Entry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** What the readings of one request hit in the index, one path after the other. */
final class Hits {

  /** By rule, and within a rule by the order of its patterns. */
  private static final Comparator<Entry> IN_ORDER =
      Comparator.comparingInt(Entry::rule).thenComparingInt(Entry::position);

  /** Never changed. */
  private static final BitSet NONE = new BitSet();

  private final List<MethodCandidate> methods;
  private final List<Entry> met = new ArrayList<>(4);
  private final List<Entry> applying = new ArrayList<>(4);
  private int work;

  /**
   * @param methods that the request may have; each path is read with all of them
   */
  Hits(List<MethodCandidate> methods) {
    this.methods = methods;
  }

  /** Counts a node visited, a segment or label compared, or an entry looked at. */
  void worked() {
    work++;
  }

  /** The work done so far: what must not grow with the rules, nor with what a client sends. */
  int work() {
    return work;
  }

  /** A pattern that takes the path, whatever the method. */
  void meet(Entry entry) {
    met.add(entry);
  }

  /** Ends one path: what matched for a method applies, unless it is excepted for the same one. */
  void endPath() {
    for (MethodCandidate method : methods) {
      endReading(method);
    }
    met.clear();
  }

  /** A pattern that applies, whatever the path, if it takes one of the methods. */
  void applyToAnyPath(Entry entry) {
    worked();
    if (!entry.exception() && methods.stream().anyMatch(m -> m.isTakenBy(entry.pattern()))) {
      applying.add(entry);
    }
  }

  /** What applies, in order; a rule may stand here more than once. */
  List<Entry> applying() {
    if (applying.size() > 1) {
      applying.sort(IN_ORDER);
    }
    return applying;
  }

  private void endReading(MethodCandidate method) {
    BitSet excepted = excepted(method);
    for (int i = 0; i < met.size(); i++) {
      Entry entry = met.get(i);
      if (!entry.exception() && method.isTakenBy(entry.pattern()) && !excepted.get(entry.rule())) {
        applying.add(entry);
      }
    }
  }

  private BitSet excepted(MethodCandidate method) {
    BitSet excepted = NONE;
    for (int i = 0; i < met.size(); i++) {
      Entry entry = met.get(i);
      worked();
      if (entry.exception() && method.isExceptedBy(entry.pattern())) {
        excepted = excepted.isEmpty() ? new BitSet() : excepted;
        excepted.set(entry.rule());
      }
    }
    return excepted;
  }
}

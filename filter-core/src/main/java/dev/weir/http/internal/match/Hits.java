package dev.weir.http.internal.match;

import dev.weir.http.internal.match.PathTrie.Entry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** The entries of the index that the candidates of one request match, one path after the other. */
public final class Hits {

  /** Sorts by rule, and within a rule by the order of its patterns. */
  private static final Comparator<Entry> IN_ORDER =
      Comparator.comparingInt(Entry::rule).thenComparingInt(Entry::position);

  /** A shared empty set. It is never changed. */
  private static final BitSet NONE = new BitSet();

  private final List<MethodCandidate> methods;
  private final List<Entry> met = new ArrayList<>(4);
  private final List<Entry> applying = new ArrayList<>(4);
  private int work;

  /**
   * @param methods that the request may have; each path is matched with all of them
   */
  public Hits(List<MethodCandidate> methods) {
    this.methods = methods;
  }

  /** Counts one step: a visited node, a compared segment or label, or an examined entry. */
  public void worked() {
    work++;
  }

  /**
   * Returns the work done so far. It must not grow with the rules, nor with what a client sends.
   */
  public int work() {
    return work;
  }

  /** Adds a pattern that matches the path, whatever the method. */
  public void meet(Entry entry) {
    met.add(entry);
  }

  /**
   * Ends one path. A rule that matched for a method applies, unless it is excepted for that method.
   */
  public void endPath() {
    for (MethodCandidate method : methods) {
      endReading(method);
    }
    met.clear();
  }

  /** Adds a pattern that applies, whatever the path, if it accepts one of the methods. */
  public void applyToAnyPath(Entry entry) {
    worked();
    if (!entry.exception() && methods.stream().anyMatch(m -> m.isTakenBy(entry.pattern()))) {
      applying.add(entry);
    }
  }

  /** Returns the entries that apply, in order. A rule may occur more than once. */
  public List<Entry> applying() {
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

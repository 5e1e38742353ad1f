package dev.weir.http.internal.match;

import dev.weir.http.internal.match.MethodCandidates.Candidate;
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

  private final List<Candidate> methods;

  /** The entries that apply, and at the end those that match the current path. */
  private final List<Entry> entries = new ArrayList<>(2);

  /** For each method, the rules with an exception on the current path; empty without exceptions. */
  private List<BitSet> excepted = List.of();

  private int applying;
  private int work;

  /**
   * @param methods that the request may have; each path is matched with all of them
   */
  public Hits(List<Candidate> methods) {
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
    worked();
    if (entry.exception()) {
      except(entry);
    } else {
      entries.add(entry);
    }
  }

  private void except(Entry entry) {
    if (excepted.isEmpty()) {
      excepted = methods.stream().map(method -> new BitSet()).toList();
    }
    for (int i = 0; i < methods.size(); i++) {
      if (methods.get(i).isExceptedBy(entry.pattern())) {
        excepted.get(i).set(entry.rule());
      }
    }
  }

  /**
   * Ends one path. A rule that matched for a method applies, unless it is excepted for that method.
   */
  public void endPath() {
    int kept = applying;
    for (int i = applying; i < entries.size(); i++) {
      if (applies(entries.get(i))) {
        entries.set(kept++, entries.get(i));
      }
    }
    while (entries.size() > kept) {
      entries.remove(entries.size() - 1);
    }
    applying = kept;
    excepted = List.of();
  }

  private boolean applies(Entry entry) {
    for (int i = 0; i < methods.size(); i++) {
      if (methods.get(i).isTakenBy(entry.pattern())
          && (excepted.isEmpty() || !excepted.get(i).get(entry.rule()))) {
        return true;
      }
    }
    return false;
  }

  /** Adds a pattern that applies, whatever the path, if it accepts one of the methods. */
  public void applyToAnyPath(Entry entry) {
    worked();
    if (!entry.exception() && methods.stream().anyMatch(m -> m.isTakenBy(entry.pattern()))) {
      entries.add(entry);
    }
  }

  /** Returns the entries that apply, in order. A rule may occur more than once. */
  public List<Entry> applying() {
    if (entries.size() > 1) {
      entries.sort(IN_ORDER);
    }
    return entries;
  }
}

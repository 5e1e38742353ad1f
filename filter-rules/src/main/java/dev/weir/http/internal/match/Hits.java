package dev.weir.http.internal.match;

import dev.weir.http.internal.match.PathTrie.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The entries of the index that the candidates of one request match, one path after the other. */
public final class Hits {

  private final long methods;

  /**
   * The entries that apply, and at the end those that match the current path. Most requests meet
   * one: only a list of more can be changed.
   */
  private List<Entry> entries = List.of();

  /** What few requests need, since most meet no exception. */
  private @Nullable Rare rare;

  private int work;

  /** What is known of the current path. */
  private static final class Rare {

    /** For each rule with an exception, the methods that are excepted. */
    private final Map<Integer, Long> excepted = new HashMap<>();

    /** Those that stand below another one. */
    private final Set<AnyDepth> reached = new HashSet<>();
  }

  /** Each path is matched with all {@linkplain MethodCandidates candidates} of the request. */
  Hits(long methods) {
    this.methods = methods;
  }

  /** Counts one step: a visited node, a compared segment or label, or an examined entry. */
  void worked() {
    work++;
  }

  /**
   * Returns the work done so far. It must not grow with the rules, nor with what a client sends,
   * but for the segments of a path where a pattern has {@code **} twice.
   */
  public int work() {
    return work;
  }

  /** Returns whether the current path reaches this for the first time. */
  boolean isFirst(AnyDepth depth) {
    work++;
    return rare().reached.add(depth);
  }

  /** Adds a pattern that matches the path, if it accepts one of the methods. */
  void meet(Entry entry) {
    work++;
    if (entry.isException()) {
      rare().excepted.merge(entry.rule(), entry.methods(), (some, others) -> some | others);
    } else if ((entry.methods() & methods) != 0) {
      if (entries.isEmpty()) {
        entries = List.of(entry);
        return;
      }
      entries = entries.size() == 1 ? new ArrayList<>(entries) : entries;
      entries.add(entry);
    }
  }

  /**
   * Adds what these tries have for one path. A rule that matches it for a method applies, unless it
   * is excepted for that method on the same path.
   */
  void match(String path, List<PathTrie> tries) {
    int ofEarlierPaths = entries.size();
    for (int i = 0; i < tries.size(); i++) {
      tries.get(i).match(path, 1, this);
    }
    Rare known = rare;
    if (known != null) {
      entries = new ArrayList<>(entries);
      List<Entry> ofPath = entries.subList(ofEarlierPaths, entries.size());
      ofPath.removeIf(entry -> isExcepted(entry, known.excepted));
      rare = null;
    }
  }

  private boolean isExcepted(Entry entry, Map<Integer, Long> excepted) {
    long left = methods & ~excepted.getOrDefault(entry.rule(), 0L);
    return (entry.methods() & left) == 0;
  }

  private Rare rare() {
    Rare known = rare;
    if (known == null) {
      known = new Rare();
      rare = known;
    }
    return known;
  }

  /** Returns the rules that apply, in order, each with the first of its patterns that matched. */
  public List<MatchedRule> applying() {
    if (entries.size() < 2) {
      return entries.isEmpty() ? List.of() : entries.get(0).alone();
    }
    entries.sort(Comparator.comparingInt(Entry::position));
    List<MatchedRule> applying = new ArrayList<>(entries.size());
    int last = -1;
    for (Entry entry : entries) {
      if (entry.rule() != last) {
        last = entry.rule();
        applying.addAll(entry.alone());
      }
    }
    return applying;
  }
}

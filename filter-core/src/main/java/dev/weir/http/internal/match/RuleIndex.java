package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.RequestPattern;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.internal.match.PathTrie.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An index that returns the rules that apply to a request, in the order of the rules. The work
 * grows with the length of the path, and hardly with the number of rules. Nothing else that a
 * client sends makes it grow.
 */
public final class RuleIndex {

  private final List<Entry> entries;

  /** Of each rule and each of its patterns, the matched rule alone. Most requests have just one. */
  private final List<List<List<MatchedRule>>> matched;

  /** The tries of all hosts, where no pattern has a host. */
  private final List<PathTrie> ofAnyHost;

  private final List<HostIndex> hosts;
  private final boolean readsHost;
  private final MethodCandidates methods;

  /** Compiles the matchers of these rules. */
  public RuleIndex(List<Rule> rules) {
    this.entries = entries(rules);
    this.matched = rules.stream().map(RuleIndex::matched).toList();
    this.hosts = hosts(rules, entries);
    this.readsHost = hosts.stream().anyMatch(HostIndex::needsHost);
    this.ofAnyHost = tries("", new Hits(List.of()));
    this.methods =
        new MethodCandidates(
            entries.stream()
                .flatMap(entry -> entry.pattern().methods().stream())
                .collect(Collectors.toSet()));
  }

  /**
   * Returns the rules that apply, each with the first of its patterns that matched.
   *
   * <p>If the container refuses to return a path, the path could be any. Then every rule that
   * matches the method and the host applies, exceptions or not.
   */
  public List<MatchedRule> applying(RequestView request) {
    List<Entry> hits = hits(request).applying();
    if (hits.isEmpty()) {
      return List.of();
    }
    if (hits.size() == 1) {
      return alone(hits.get(0));
    }
    List<MatchedRule> applied = new ArrayList<>(hits.size());
    int last = -1;
    for (Entry hit : hits) {
      if (hit.rule() != last) {
        last = hit.rule();
        applied.addAll(alone(hit));
      }
    }
    return applied;
  }

  private List<MatchedRule> alone(Entry hit) {
    return matched.get(hit.rule()).get(hit.position());
  }

  /** Returns all patterns that match any interpretation of the request. */
  public Hits hits(RequestView request) {
    Hits hits = new Hits(methods.of(request));
    String host = readsHost ? request.host().map(HostIndex::canonical).orElse("") : "";
    List<String> paths;
    try {
      paths = PathCandidates.of(request);
    } catch (RuntimeException suspicious) {
      whateverPath(host, hits);
      return hits;
    }
    List<PathTrie> tries = readsHost ? tries(host, hits) : ofAnyHost;
    for (int i = 0; i < paths.size(); i++) {
      for (int j = 0; j < tries.size(); j++) {
        tries.get(j).match(paths.get(i), hits);
      }
      hits.endPath();
    }
    return hits;
  }

  private void whateverPath(String host, Hits hits) {
    for (Entry entry : entries) {
      if (HostIndex.accepts(entry.pattern().host(), host)) {
        hits.applyToAnyPath(entry);
      }
    }
  }

  private List<PathTrie> tries(String host, Hits hits) {
    List<PathTrie> tries = new ArrayList<>(hosts.size());
    for (HostIndex index : hosts) {
      index.addTries(host, tries, hits);
    }
    return tries;
  }

  private static List<List<MatchedRule>> matched(Rule rule) {
    return rule.match().stream()
        .flatMap(matcher -> matcher.match().stream())
        .map(pattern -> List.of(MatchedRule.matched(rule, pattern)))
        .toList();
  }

  private static List<Entry> entries(List<Rule> rules) {
    List<Entry> entries = new ArrayList<>();
    for (int rule = 0; rule < rules.size(); rule++) {
      if (rules.get(rule).match().isEmpty()) {
        continue;
      }
      RequestMatcher matcher = rules.get(rule).match().orElseThrow();
      add(matcher.match(), rule, false, entries);
      add(matcher.except(), rule, true, entries);
    }
    return List.copyOf(entries);
  }

  private static void add(
      List<RequestPattern> patterns, int number, boolean exception, List<Entry> entries) {
    for (int i = 0; i < patterns.size(); i++) {
      entries.add(new Entry(number, i, exception, patterns.get(i)));
    }
  }

  private static List<HostIndex> hosts(List<Rule> rules, List<Entry> entries) {
    Map<MatchOptions, List<Entry>> groups = new LinkedHashMap<>();
    for (Entry entry : entries) {
      MatchOptions options = rules.get(entry.rule()).match().orElseThrow().options();
      groups.computeIfAbsent(options, key -> new ArrayList<>()).add(entry);
    }
    List<HostIndex> hosts = new ArrayList<>();
    groups.forEach((options, group) -> hosts.add(new HostIndex(options, group)));
    return List.copyOf(hosts);
  }
}

package dev.weir.http;

import dev.weir.http.PathTrie.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Tells which rules apply to a request, in the order of the rules. The work grows with the length
 * of the path, and hardly with the number of rules.
 */
final class RuleIndex {

  private static final String POST = "POST";

  /** Fields by which frameworks let a POST stand for another method. */
  private static final List<String> OVERRIDES =
      List.of("X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method");

  /** The query parameter that does the same. */
  private static final String OVERRIDE_PARAMETER = "_method";

  private final List<Rule> rules;
  private final List<Entry> entries;
  private final List<HostIndex> hosts;
  private final boolean readsHost;
  private final boolean readsMethod;

  RuleIndex(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    this.entries = entries(rules);
    this.hosts = hosts(rules, entries);
    this.readsHost = hosts.stream().anyMatch(HostIndex::needsHost);
    this.readsMethod = entries.stream().anyMatch(entry -> !entry.pattern().methods().isEmpty());
  }

  /**
   * The rules that apply, each with the first of its patterns that matched.
   *
   * <p>A path that the container refuses to tell could be any path: every rule that takes the
   * method and the host applies then, exceptions or not.
   */
  List<Applied> applying(RequestView request) {
    String host = readsHost ? request.host().map(HostIndex::canonical).orElse("") : "";
    String path;
    try {
      path = request.path();
    } catch (RuntimeException suspicious) {
      return whateverPath(methods(request), host);
    }
    String sent = request.method();
    if (PathReadings.isPlain(path) && isTakenAsSent(sent)) {
      return applied(hits(sent, host, path).applying());
    }
    List<Entry> union = new ArrayList<>();
    for (String method : methods(request)) {
      for (String reading : PathReadings.of(path)) {
        union.addAll(hits(method, host, reading).applying());
      }
    }
    return applied(union);
  }

  Hits hits(String method, String host, String path) {
    Hits hits = new Hits(method);
    for (HostIndex index : hosts) {
      index.match(host, path, hits);
    }
    return hits;
  }

  private List<Applied> whateverPath(List<String> methods, String host) {
    List<Entry> possible = new ArrayList<>();
    for (Entry entry : entries) {
      RequestPattern pattern = entry.pattern();
      if (!entry.exception()
          && methods.stream().anyMatch(pattern::accepts)
          && HostIndex.accepts(pattern.host(), host)) {
        possible.add(entry);
      }
    }
    return applied(possible);
  }

  /**
   * The method as sent; in upper case, for some servers fold it; and, for a POST, those that a
   * framework may take it for. A rule that takes any of them applies, whatever it excepts for the
   * others.
   */
  private List<String> methods(RequestView request) {
    String sent = request.method();
    if (isTakenAsSent(sent)) {
      return List.of(sent);
    }
    Set<String> methods = new LinkedHashSet<>();
    methods.add(sent);
    methods.add(upperCase(sent));
    if (upperCase(sent).equals(POST)) {
      OVERRIDES.forEach(field -> addRegistered(request.headers(field), methods));
      addRegistered(request.query(OVERRIDE_PARAMETER).stream().toList(), methods);
    }
    return List.copyOf(methods);
  }

  private static void addRegistered(List<String> values, Set<String> methods) {
    for (String value : values) {
      String method = upperCase(value.strip());
      if (HttpMethods.isRegistered(method)) {
        methods.add(method);
      }
    }
  }

  private boolean isTakenAsSent(String method) {
    return !readsMethod || (!method.equals(POST) && upperCase(method).equals(method));
  }

  private static String upperCase(String method) {
    return method.toUpperCase(Locale.ROOT);
  }

  private List<Applied> applied(List<Entry> hits) {
    if (hits.isEmpty()) {
      return List.of();
    }
    if (hits.size() > 1) {
      hits.sort(Hits.IN_ORDER);
    }
    List<Applied> applied = new ArrayList<>(hits.size());
    int last = -1;
    for (Entry hit : hits) {
      if (hit.rule() != last) {
        last = hit.rule();
        applied.add(Applied.matched(rules.get(last), hit.pattern()));
      }
    }
    return applied;
  }

  private static List<Entry> entries(List<Rule> rules) {
    List<Entry> entries = new ArrayList<>();
    for (int rule = 0; rule < rules.size(); rule++) {
      if (rules.get(rule).match().isEmpty()) {
        continue;
      }
      RequestMatcher matcher = rules.get(rule).match().orElseThrow();
      for (int i = 0; i < matcher.match().size(); i++) {
        entries.add(new Entry(rule, i, false, matcher.match().get(i)));
      }
      for (int i = 0; i < matcher.except().size(); i++) {
        entries.add(new Entry(rule, i, true, matcher.except().get(i)));
      }
    }
    return List.copyOf(entries);
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

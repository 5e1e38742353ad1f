package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.internal.match.PathTrie.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An index that returns the rules that apply to a request, in the order of the rules. The work
 * grows with the length of the path, and hardly with the number of rules. Nothing else that a
 * client sends makes it grow.
 */
public final class RuleIndex {

  private final MethodCandidates methods;
  private final List<Entry> entries = new ArrayList<>();
  private final HostIndex hosts;

  // nearly all rules are for any method and host; then no request pays for these
  private final boolean hasMethods;
  private final boolean hasHosts;

  public RuleIndex(List<Rule> rules) {
    Set<String> named =
        rules.stream()
            .flatMap(PatternParser::all)
            .flatMap(pattern -> pattern.methods().stream())
            .collect(Collectors.toSet());
    this.methods = new MethodCandidates(named);
    for (int i = 0; i < rules.size(); i++) {
      addEntries(i, rules.get(i));
    }
    this.hosts = new HostIndex(entries);
    this.hasMethods = !named.isEmpty();
    this.hasHosts = entries.stream().anyMatch(entry -> !entry.pattern().host().isEmpty());
  }

  /**
   * Returns the rules that apply, each with the first of its patterns that matched.
   *
   * <p>If the container refuses to return a path, the path could be any. Then every rule that
   * matches the method and the host applies, exceptions or not.
   */
  public List<MatchedRule> applying(RequestView request) {
    return hits(request).applying();
  }

  /** Returns all patterns that match any interpretation of the request. */
  public Hits hits(RequestView request) {
    Hits hits = new Hits(hasMethods ? methods.of(request) : MethodCandidates.UNNAMED);
    String host = hasHosts ? request.host().map(HostName::canonical).orElse("") : "";
    List<String> paths;
    try {
      paths = PathCandidates.of(request);
    } catch (RuntimeException suspicious) {
      entries.stream()
          .filter(entry -> !entry.isException())
          .filter(entry -> HostIndex.accepts(entry.pattern().host(), host))
          .forEach(hits::meet);
      return hits;
    }
    List<PathTrie> tries = host.isEmpty() ? hosts.anyHost : hosts.tries(host, hits);
    for (int i = 0; i < paths.size(); i++) {
      hits.match(paths.get(i), tries);
    }
    return hits;
  }

  private void addEntries(int number, Rule rule) {
    if (rule.match().isEmpty()) {
      return;
    }
    RequestMatcher matcher = rule.match().get();
    MatchOptions options = matcher.options();
    List<RequestPattern> patterns = PatternParser.match(matcher);
    for (RequestPattern pattern : patterns) {
      List<MatchedRule> alone = List.of(new MatchedRule(rule, Optional.of(pattern), patterns));
      entries.add(
          new Entry(number, entries.size(), pattern, options, methods.matching(pattern), alone));
    }
    for (RequestPattern pattern : PatternParser.except(matcher)) {
      entries.add(
          new Entry(
              number, entries.size(), pattern, options, methods.excepting(pattern), List.of()));
    }
  }
}

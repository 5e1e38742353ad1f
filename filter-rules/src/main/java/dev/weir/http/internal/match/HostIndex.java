package dev.weir.http.internal.match;

import static java.util.stream.Collectors.groupingBy;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.match.PathTrie.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tries of all patterns, by host: those for any host, and those for each named host. Patterns
 * with equal options share a trie. The named hosts form a tree of their labels, from the right. A
 * host is split only as far as the patterns reach.
 */
final class HostIndex {

  private static final String WILDCARD = "*.";

  /** The tries of the patterns for any host. */
  final List<PathTrie> anyHost = new ArrayList<>();

  private final Label root = new Label();

  HostIndex(List<Entry> entries) {
    Map<String, Map<MatchOptions, List<Entry>>> groups =
        entries.stream()
            .collect(groupingBy(entry -> entry.pattern().host(), groupingBy(Entry::options)));
    groups.forEach(
        (host, ofHost) ->
            ofHost.forEach((options, group) -> tries(host).add(new PathTrie(options, 0, group))));
  }

  /** Returns the tries of this host in a pattern. They are to be filled. */
  private List<PathTrie> tries(String host) {
    if (host.isEmpty()) {
      return anyHost;
    }
    boolean wildcard = host.startsWith(WILDCARD);
    String[] labels = (wildcard ? host.substring(WILDCARD.length()) : host).split("\\.", -1);
    Label label = root;
    for (int i = labels.length - 1; i >= 0; i--) {
      label = label.below.computeIfAbsent(labels[i], name -> new Label());
    }
    return wildcard ? label.subdomains : label.host;
  }

  /** Returns the tries that match this {@linkplain HostName#canonical canonical} host. */
  List<PathTrie> tries(String host, Hits hits) {
    List<PathTrie> tries = new ArrayList<>(anyHost);
    Label label = root;
    for (int end = host.length(); end > 0; ) {
      hits.worked();
      int dot = host.lastIndexOf('.', end - 1);
      label = label.below.get(host.substring(dot + 1, end));
      if (label == null) {
        return tries;
      }
      tries.addAll(dot < 0 ? label.host : label.subdomains);
      end = dot;
    }
    return tries;
  }

  /** Returns whether a pattern bound to one host matches this canonical host. */
  static boolean accepts(String pattern, String host) {
    if (pattern.isEmpty() || pattern.equals(host)) {
      return true;
    }
    return pattern.startsWith(WILDCARD) && host.endsWith(pattern.substring(1));
  }

  /**
   * A label in the tree, with the tries of the host that it completes, the tries of that host's
   * subdomains, and the labels below.
   */
  private static final class Label {

    final Map<String, Label> below = new HashMap<>();
    final List<PathTrie> host = new ArrayList<>();
    final List<PathTrie> subdomains = new ArrayList<>();
  }
}

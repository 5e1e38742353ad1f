package dev.weir.http;

import dev.weir.http.PathTrie.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tries of patterns with equal options: one for each host, and one for any. */
final class HostIndex {

  private static final String WILDCARD = "*.";

  private final Map<String, PathTrie> byHost = new HashMap<>();
  private final PathTrie anyHost;

  HostIndex(MatchOptions options, List<Entry> entries) {
    Map<String, List<Entry>> groups = new HashMap<>();
    for (Entry entry : entries) {
      groups.computeIfAbsent(entry.pattern().host(), host -> new ArrayList<>()).add(entry);
    }
    anyHost = PathTrie.of(options, groups.getOrDefault("", List.of()));
    groups.remove("");
    groups.forEach((host, group) -> byHost.put(host, PathTrie.of(options, group)));
  }

  boolean needsHost() {
    return !byHost.isEmpty();
  }

  /** The host is {@linkplain #canonical canonical}, or empty. */
  void match(String host, String path, Hits hits) {
    anyHost.match(path, hits);
    if (byHost.isEmpty() || host.isEmpty()) {
      return;
    }
    matchHost(host, path, hits);
    int dot = host.indexOf('.');
    while (dot >= 0) {
      matchHost("*" + host.substring(dot), path, hits);
      dot = host.indexOf('.', dot + 1);
    }
  }

  private void matchHost(String host, String path, Hits hits) {
    PathTrie trie = byHost.get(host);
    if (trie != null) {
      trie.match(path, hits);
    }
  }

  /** Whether a pattern bound to one host takes this canonical one. */
  static boolean accepts(String pattern, String host) {
    if (pattern.isEmpty() || pattern.equals(host)) {
      return true;
    }
    return pattern.startsWith(WILDCARD) && host.endsWith(pattern.substring(1));
  }

  /** Lower case, without a port, and without the dot that ends a full domain name. */
  static String canonical(String host) {
    int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
    String name = end <= 0 ? host : host.substring(0, end);
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    return name.toLowerCase(Locale.ROOT);
  }
}

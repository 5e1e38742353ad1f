package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.match.PathTrie.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tries of patterns with equal options: one for any host, and one for each named host. The
 * named hosts form a tree of their labels, from the right. A host is split only as far as the
 * patterns reach.
 */
public final class HostIndex {

  private static final String WILDCARD = "*.";

  /** The longest host name (RFC 1035, 2.3.4), without the dot at the end. */
  private static final int LONGEST_NAME = 253;

  private final PathTrie anyHost;
  private final Label root = new Label();

  public HostIndex(MatchOptions options, List<Entry> entries) {
    Map<String, List<Entry>> groups = new HashMap<>();
    for (Entry entry : entries) {
      groups.computeIfAbsent(entry.pattern().host(), host -> new ArrayList<>()).add(entry);
    }
    anyHost = PathTrie.of(options, groups.getOrDefault("", List.of()));
    groups.remove("");
    groups.forEach((host, group) -> add(host, PathTrie.of(options, group)));
  }

  public boolean needsHost() {
    return !root.below.isEmpty();
  }

  /**
   * Adds the tries that match this host. The host is {@linkplain #canonical canonical} or empty.
   */
  public void addTries(String host, List<PathTrie> tries, Hits hits) {
    tries.add(anyHost);
    Label label = root;
    for (int end = host.length(); end > 0; ) {
      hits.worked();
      int dot = host.lastIndexOf('.', end - 1);
      label = label.below.get(host.substring(dot + 1, end));
      if (label == null) {
        return;
      }
      addIfPresent(dot < 0 ? label.host : label.subdomains, tries);
      end = dot;
    }
  }

  private static void addIfPresent(@Nullable PathTrie trie, List<PathTrie> tries) {
    if (trie != null) {
      tries.add(trie);
    }
  }

  private void add(String host, PathTrie trie) {
    boolean wildcard = host.startsWith(WILDCARD);
    String[] labels = (wildcard ? host.substring(WILDCARD.length()) : host).split("\\.", -1);
    Label label = root;
    for (int i = labels.length - 1; i >= 0; i--) {
      label = label.below.computeIfAbsent(labels[i], name -> new Label());
    }
    if (wildcard) {
      label.subdomains = trie;
    } else {
      label.host = trie;
    }
  }

  /** Returns whether a pattern bound to one host matches this canonical host. */
  public static boolean accepts(String pattern, String host) {
    if (pattern.isEmpty() || pattern.equals(host)) {
      return true;
    }
    return pattern.startsWith(WILDCARD) && host.endsWith(pattern.substring(1));
  }

  /**
   * Returns the host in lower case, without a port, and without the dot that ends a full domain
   * name. Empty if the host is too long for a name.
   */
  public static String canonical(String host) {
    int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
    String name = end <= 0 ? host : host.substring(0, end);
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    return name.length() > LONGEST_NAME ? "" : name.toLowerCase(Locale.ROOT);
  }

  /**
   * A label in the tree, with the trie of the host that it completes, the trie of that host's
   * subdomains, and the labels below.
   */
  private static final class Label {

    final Map<String, Label> below = new HashMap<>();
    @Nullable PathTrie host;
    @Nullable PathTrie subdomains;
  }
}

package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.RequestPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A tree of the segments of patterns, so that a path visits only the patterns that it can match.
 *
 * <p>A node has its literal children in order of their length, and equally long ones in order of
 * their last differing character. Siblings often begin alike, as {@code order} and {@code orders},
 * so that few characters decide. A binary search finds a child without cutting the segment out of
 * the path. A node also has one child for any segment. Its {@code here} entries match a path that
 * ends at the node. Its {@code rest} entries match every path that passes the node. A path of d
 * segments visits d + 1 nodes if no pattern has a wildcard before its end. It never visits more
 * nodes than the patterns have segments.
 */
public final class PathTrie {

  /**
   * One pattern of one rule: the number of the rule, and the position of the pattern in the rule.
   */
  public record Entry(int rule, int position, boolean exception, RequestPattern pattern) {}

  private final MatchOptions options;
  private final Node root;

  private PathTrie(MatchOptions options, Node root) {
    this.options = options;
    this.root = root;
  }

  static PathTrie of(MatchOptions options, List<Entry> entries) {
    Growing root = new Growing();
    for (Entry entry : entries) {
      Growing node = root;
      for (String segment : entry.pattern().segments()) {
        node = node.child(segment, options);
      }
      (entry.pattern().rest() ? node.rest : node.here).add(entry);
    }
    return new PathTrie(options, root.grown());
  }

  /** Reports each pattern that matches this canonical path. */
  public void match(String path, Hits hits) {
    walk(root, path, 1, hits);
  }

  private void walk(Node node, String path, int from, Hits hits) {
    hits.worked();
    for (Entry entry : node.rest) {
      hits.meet(entry);
    }
    if (from >= path.length()) {
      for (Entry entry : node.here) {
        if (options.ignoreTrailingSlash()
            || entry.pattern().trailingSlash() == (from == path.length())) {
          hits.meet(entry);
        }
      }
      return;
    }
    int slash = path.indexOf('/', from);
    int end = slash < 0 ? path.length() : slash;
    Node literal = child(node, path, from, end, hits);
    if (literal != null) {
      walk(literal, path, end + 1, hits);
    }
    if (node.any != null) {
      walk(node.any, path, end + 1, hits);
    }
  }

  private @Nullable Node child(Node node, String path, int from, int end, Hits hits) {
    int low = 0;
    int high = node.names.length - 1;
    while (low <= high) {
      hits.worked();
      int middle = (low + high) >>> 1;
      int order = compare(node.names[middle], path, from, end, options);
      if (order == 0) {
        return node.children[middle];
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** Compares the name with the folded segment, in the order of children. */
  private static int compare(String name, String path, int from, int end, MatchOptions options) {
    int order = name.length() - (end - from);
    for (int i = name.length() - 1; order == 0 && i >= 0; i--) {
      order = name.charAt(i) - fold(path.charAt(from + i), options);
    }
    return order;
  }

  /** Folds one character to exactly one, so that lengths are equal in every language. */
  private static char fold(char c, MatchOptions options) {
    return options.ignoreCase() ? Character.toLowerCase(Character.toUpperCase(c)) : c;
  }

  private static final class Node {

    final String[] names;
    final Node[] children;
    final @Nullable Node any;
    final Entry[] here;
    final Entry[] rest;

    Node(String[] names, Node[] children, @Nullable Node any, Entry[] here, Entry[] rest) {
      this.names = names;
      this.children = children;
      this.any = any;
      this.here = here;
      this.rest = rest;
    }
  }

  private static final class Growing {

    /** The names are folded already, so the options do not matter. */
    final TreeMap<String, Growing> children =
        new TreeMap<>((one, other) -> compare(one, other, 0, other.length(), MatchOptions.DEFAULT));

    final List<Entry> here = new ArrayList<>();
    final List<Entry> rest = new ArrayList<>();
    @Nullable Growing any;

    Growing child(String segment, MatchOptions options) {
      if (!segment.equals(RequestPattern.ANY)) {
        return children.computeIfAbsent(folded(segment, options), name -> new Growing());
      }
      if (any == null) {
        any = new Growing();
      }
      return any;
    }

    Node grown() {
      return new Node(
          children.keySet().toArray(String[]::new),
          children.values().stream().map(Growing::grown).toArray(Node[]::new),
          any == null ? null : any.grown(),
          here.toArray(Entry[]::new),
          rest.toArray(Entry[]::new));
    }

    private static String folded(String segment, MatchOptions options) {
      char[] characters = segment.toCharArray();
      for (int i = 0; i < characters.length; i++) {
        characters[i] = fold(characters[i], options);
      }
      return new String(characters);
    }
  }
}

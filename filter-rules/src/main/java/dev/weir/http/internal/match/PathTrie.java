package dev.weir.http.internal.match;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.weir.http.RequestMatcher.MatchOptions;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A tree of the segments of patterns with equal options, so that a path visits only the patterns
 * that it can match. Each node is the tree of what follows its segment.
 *
 * <p>A node has its literal children in order of their length, and equally long ones in order of
 * their last differing character. Siblings often begin alike, as {@code order} and {@code orders},
 * so that few characters decide. A binary search finds a child without cutting the segment out of
 * the path. A node also has one child for any segment, and those for a last segment with an
 * extension. Its {@code here} entries match a path that ends at the node. Its {@code rest} entries
 * match every path that passes the node. A path of d segments visits d + 1 nodes if no pattern has
 * a wildcard before its end. It never visits more nodes than the patterns have segments, unless
 * they have segments after {@code **}: see {@link AnyDepth}.
 */
final class PathTrie {

  /**
   * One pattern of one rule.
   *
   * @param rule its number
   * @param position of the pattern among those of all rules, in the order of the rules
   * @param methods the {@linkplain MethodCandidates candidates} for which the rule applies, or is
   *     excepted
   * @param alone the matched rule, as most requests have just one; empty for an exception
   */
  record Entry(
      int rule,
      int position,
      RequestPattern pattern,
      MatchOptions options,
      long methods,
      List<MatchedRule> alone) {

    boolean isException() {
      return alone.isEmpty();
    }
  }

  /** The names are folded already, so the options do not matter. */
  private static final Comparator<String> IN_ORDER =
      (one, other) -> compare(one, other, 0, other.length(), MatchOptions.DEFAULT);

  private final MatchOptions options;
  private final String[] names;
  private final PathTrie[] children;
  private final @Nullable PathTrie any;

  /** The children for the last segment, by its extension. */
  private final @Nullable PathTrie extensions;

  private final @Nullable AnyDepth anyDepth;
  private final Entry[] here;
  private final Entry[] rest;

  /**
   * @param depth how many segments of the patterns lead to this node
   * @param entries whose patterns have these segments
   */
  PathTrie(MatchOptions options, int depth, List<Entry> entries) {
    TreeMap<String, List<Entry>> below =
        entries.stream()
            .filter(entry -> entry.pattern().segments().size() > depth)
            .collect(
                groupingBy(
                    entry -> folded(entry.pattern().segments().get(depth), options),
                    () -> new TreeMap<>(IN_ORDER),
                    toList()));
    List<Entry> wildcard = below.remove(RequestPattern.ANY);
    List<Entry> deeper = below.getOrDefault(RequestPattern.ANY_DEPTH, List.of());
    below.remove(RequestPattern.ANY_DEPTH);
    TreeMap<String, List<Entry>> byExtension = new TreeMap<>(IN_ORDER);
    below.forEach(
        (name, group) -> {
          if (name.startsWith(RequestPattern.ANY)) {
            byExtension.put(name.substring(RequestPattern.ANY.length()), group);
          }
        });
    below.keySet().removeIf(name -> name.startsWith(RequestPattern.ANY));
    // below another '**' a path may pass this node several times, but a rest applies once
    boolean isBelowAnother =
        entries.stream()
            .map(entry -> entry.pattern().segments().subList(0, depth))
            .anyMatch(path -> path.contains(RequestPattern.ANY_DEPTH));
    Predicate<Entry> isRest =
        entry -> !isBelowAnother && entry.pattern().segments().size() == depth + 1;
    List<Entry> continued = deeper.stream().filter(isRest.negate()).toList();
    this.options = options;
    this.any = wildcard == null ? null : new PathTrie(options, depth + 1, wildcard);
    this.extensions = byExtension.isEmpty() ? null : new PathTrie(options, depth, byExtension);
    this.anyDepth =
        continued.isEmpty() ? null : new AnyDepth(options, depth + 1, isBelowAnother, continued);
    this.names = below.keySet().toArray(String[]::new);
    this.children = children(options, depth, below);
    this.here =
        entries.stream()
            .filter(entry -> entry.pattern().segments().size() == depth)
            .toArray(Entry[]::new);
    this.rest = deeper.stream().filter(isRest).toArray(Entry[]::new);
  }

  /** A node with these children alone. */
  private PathTrie(MatchOptions options, int depth, SortedMap<String, List<Entry>> below) {
    this.options = options;
    this.any = null;
    this.extensions = null;
    this.anyDepth = null;
    this.names = below.keySet().toArray(String[]::new);
    this.children = children(options, depth, below);
    this.here = new Entry[0];
    this.rest = new Entry[0];
  }

  private static PathTrie[] children(
      MatchOptions options, int depth, SortedMap<String, List<Entry>> below) {
    return below.values().stream()
        .map(group -> new PathTrie(options, depth + 1, group))
        .toArray(PathTrie[]::new);
  }

  /** Reports each pattern that matches this canonical path. At the root, it begins at 1. */
  void match(String path, int from, Hits hits) {
    hits.worked();
    for (Entry entry : rest) {
      hits.meet(entry);
    }
    if (anyDepth != null) {
      anyDepth.match(path, from, hits);
    }
    if (from >= path.length()) {
      for (Entry entry : here) {
        if (options.ignoreTrailingSlash()
            || entry.pattern().trailingSlash() == (from == path.length())) {
          hits.meet(entry);
        }
      }
      return;
    }
    int slash = path.indexOf('/', from);
    int end = slash < 0 ? path.length() : slash;
    PathTrie literal = child(path, from, end, hits);
    if (literal != null) {
      literal.match(path, end + 1, hits);
    }
    if (any != null) {
      any.match(path, end + 1, hits);
    }
    if (extensions != null && end + 1 >= path.length()) {
      int dot = path.lastIndexOf('.', end - 1);
      PathTrie extension = dot < from ? null : extensions.child(path, dot, end, hits);
      if (extension != null) {
        extension.match(path, end + 1, hits);
      }
    }
  }

  private @Nullable PathTrie child(String path, int from, int end, Hits hits) {
    int low = 0;
    int high = names.length - 1;
    while (low <= high) {
      hits.worked();
      int middle = (low + high) >>> 1;
      int order = compare(names[middle], path, from, end, options);
      if (order == 0) {
        return children[middle];
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

  static String folded(String segment, MatchOptions options) {
    char[] characters = segment.toCharArray();
    for (int i = 0; i < characters.length; i++) {
      characters[i] = fold(characters[i], options);
    }
    return new String(characters);
  }

  /** Folds one character to exactly one, so that lengths are equal in every language. */
  private static char fold(char c, MatchOptions options) {
    return options.ignoreCase() ? Character.toLowerCase(Character.toUpperCase(c)) : c;
  }
}

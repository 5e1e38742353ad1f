package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.internal.match.PathTrie.Entry;
import java.util.List;

/**
 * What follows {@code **} within patterns: a tree that may begin at each later segment of a path.
 *
 * <p>Trying each segment, and below it each segment again, would take a time that grows with a
 * power of the path's length. It is not necessary. What follows one {@code **} up to the next has a
 * fixed number of segments. So the leftmost place at which the next one is reached is as good as
 * all places to its right, and it is the one that is reached first. Any further one is ignored. A
 * path is thus read once for each {@code **} in the tree, however many segments it has.
 *
 * <p>Mostly nothing that follows has another {@code **}. Then its number of segments is known, and
 * it can only begin so many segments before the path's end. {@code *.do} reads the last segment.
 */
final class AnyDepth {

  /** The patterns that end in this {@code **}. */
  private final Entry[] ending;

  private final PathTrie next;
  private final boolean isBelowAnother;

  /** The most segments that can follow. */
  private final int longestTail;

  /**
   * @param depth how many segments of the patterns lead here, with this one
   */
  AnyDepth(MatchOptions options, int depth, boolean isBelowAnother, List<Entry> entries) {
    List<Entry> following =
        entries.stream().filter(entry -> entry.pattern().segments().size() > depth).toList();
    this.next = new PathTrie(options, depth, following);
    this.isBelowAnother = isBelowAnother;
    this.ending =
        entries.stream()
            .filter(entry -> entry.pattern().segments().size() == depth)
            .toArray(Entry[]::new);
    this.longestTail =
        following.stream()
            .map(entry -> entry.pattern().segments())
            .map(all -> all.subList(depth, all.size()))
            .mapToInt(
                tail -> tail.contains(RequestPattern.ANY_DEPTH) ? Integer.MAX_VALUE : tail.size())
            .max()
            .orElse(0);
  }

  /** Reports each pattern whose rest matches the path from here, or from any later segment. */
  void match(String path, int from, Hits hits) {
    if (isBelowAnother && !hits.isFirst(this)) {
      return;
    }
    for (Entry entry : ending) {
      hits.meet(entry);
    }
    int at = firstStart(path, from);
    while (at < path.length()) {
      next.match(path, at, hits);
      int slash = path.indexOf('/', at);
      at = slash < 0 ? path.length() : slash + 1;
    }
  }

  /** Returns the first segment from which the path is not longer than all that can follow. */
  private int firstStart(String path, int from) {
    if (longestTail == Integer.MAX_VALUE) {
      return from;
    }
    int start = path.endsWith("/") ? path.length() : path.length() + 1;
    for (int i = 0; i < longestTail && start > from; i++) {
      start = path.lastIndexOf('/', start - 2) + 1;
    }
    return Math.max(from, start);
  }
}

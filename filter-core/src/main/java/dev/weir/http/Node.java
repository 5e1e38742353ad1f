package dev.weir.http;

import inet.ipaddr.IPAddress;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An address as far as rules go: what it counts as, whether it is a trusted proxy's, and what it is
 * where it is known to be the client's.
 *
 * <p>Reading one takes microseconds, and the same few proxies and clients come again and again.
 */
record Node(String key, boolean trusted, Optional<IPAddress> address) {

  /** The last proxy that we know of, where nothing tells who is behind it. */
  Node hidingAnother() {
    return new Node(key, trusted, Optional.empty());
  }

  /**
   * Remembers the last node of each slot. A flood of addresses makes it forget, not grow; entries
   * are immutable, so threads that race for a slot lose nothing but a reading.
   */
  static final class Cache {

    private static final int SLOTS = 1 << 12;
    private static final int LONGEST_TEXT = 64;

    private record Entry(String text, Optional<Node> node) {}

    private final @Nullable Entry[] entries = new Entry[SLOTS];
    private final Function<String, Optional<Node>> reader;

    Cache(Function<String, Optional<Node>> reader) {
      this.reader = reader;
    }

    Optional<Node> read(String text) {
      if (text.length() > LONGEST_TEXT) {
        return reader.apply(text);
      }
      int hash = text.hashCode();
      int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
      Entry known = entries[slot];
      if (known == null || !known.text.equals(text)) {
        known = new Entry(text, reader.apply(text));
        entries[slot] = known;
      }
      return known.node;
    }
  }
}

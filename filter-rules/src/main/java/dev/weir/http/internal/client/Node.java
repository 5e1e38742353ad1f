package dev.weir.http.internal.client;

import inet.ipaddr.IPAddress;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An address as rules see it: its key, the header in which it names clients if it is a trusted
 * proxy's, and the address itself. A trusted peer of a Unix socket has none.
 *
 * <p>Reading one takes microseconds, and the same few proxies and clients recur.
 */
public record Node(String key, Optional<String> header, Optional<IPAddress> address) {

  /** Returns whether it is a trusted proxy's. */
  public boolean trusted() {
    return header.isPresent();
  }

  /** Returns whether it is a trusted proxy's that names clients in this header. */
  public boolean writes(String name) {
    return header.isPresent() && header.get().equalsIgnoreCase(name);
  }

  /**
   * A cache of the last node of each slot. A flood of addresses makes it forget, not grow. Entries
   * are immutable. Threads that race for a slot lose only the work of reading an address.
   */
  public static final class Cache {

    private static final int SLOTS = 1 << 12;
    private static final int LONGEST_TEXT = 64;

    private record Entry(String text, Optional<Node> node) {}

    private final @Nullable Entry[] entries = new Entry[SLOTS];
    private final Function<String, Optional<Node>> reader;

    public Cache(Function<String, Optional<Node>> reader) {
      this.reader = reader;
    }

    public Optional<Node> read(String text) {
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

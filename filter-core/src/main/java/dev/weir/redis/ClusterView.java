package dev.weir.redis;

import dev.weir.redis.internal.client.Host;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * What a cluster says of itself: runs of slots and their primaries.
 *
 * @param runs as {@code CLUSTER SLOTS} lists them
 */
record ClusterView(List<Run> runs) {

  static final int SLOTS = 16_384;

  /** Slots from first to last, both inclusive, and the primary that keeps them. */
  record Run(int first, int last, Host primary) {}

  ClusterView {
    runs = List.copyOf(runs);
  }

  /**
   * Reads the reply to {@code CLUSTER SLOTS}.
   *
   * @param asked who answered: a node that does not know its own name leaves it out
   */
  static ClusterView of(Object reply, Host asked) {
    List<Run> runs = new ArrayList<>();
    if (reply instanceof List<?> list) {
      for (Object entry : list) {
        runs.add(run(entry, asked));
      }
    }
    if (runs.isEmpty()) {
      throw new JedisException("the cluster at " + asked + " keeps no slots");
    }
    return new ClusterView(runs);
  }

  private static Run run(Object entry, Host asked) {
    if (entry instanceof List<?> run
        && run.size() >= 3
        && run.get(0) instanceof Long first
        && run.get(1) instanceof Long last
        && areSlots(first, last)
        && run.get(2) instanceof List<?> primary
        && primary.size() >= 2
        && primary.get(1) instanceof Long port) {
      return new Run(first.intValue(), last.intValue(), host(primary.get(0), port, asked));
    }
    throw new JedisException("CLUSTER SLOTS of " + asked + " cannot be read");
  }

  private static boolean areSlots(long first, long last) {
    return 0 <= first && first <= last && last < SLOTS;
  }

  private static Host host(Object name, long port, Host asked) {
    String text = name instanceof byte[] bytes ? SafeEncoder.encode(bytes) : "";
    return named(text, (int) port, asked);
  }

  /** An address as a cluster writes it, where nothing or a question mark means the one asked. */
  static Host named(String name, int port, Host asked) {
    return new Host(name.isEmpty() || name.equals("?") ? asked.name() : name, port);
  }
}

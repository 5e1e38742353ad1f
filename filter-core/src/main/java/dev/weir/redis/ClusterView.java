package dev.weir.redis;

import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimarySettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * The view that one node has of the whole cluster: runs of slots, and the primaries that have them.
 *
 * <p><b>Which view counts.</b> Each node has a view of its own. A node that has lost its peers has
 * an old view. It may claim slots that other nodes have taken over. Redis resolves such conflicts
 * by the config epoch: of two primaries that claim a slot, the one with the higher epoch has it.
 * {@link #owners} does the same with the views of several nodes.
 *
 * <p>A view counts only if its node reaches more than half of the primaries. The number of
 * primaries is the largest that any of these nodes knows. With fewer, Redis itself lets no replica
 * take over.
 *
 * <p><b>Example.</b> A is one of three primaries. It is cut off, and D has taken over its slots
 * with epoch 4. A claims them with epoch 1, and reaches one primary of three, so its view does not
 * count. B and C name D. If all three views counted, the epochs would decide, also for D.
 *
 * @param runs as {@code CLUSTER SLOTS} lists them
 * @param primaries the number of primaries with slots that the node knows
 * @param reached the number of these primaries that it reaches, including itself
 */
record ClusterView(List<Run> runs, int primaries, int reached) {

  static final int SLOTS = 16_384;

  private static final int FLAGS = 2;
  private static final int EPOCH = 6;
  private static final int LINK = 7;
  private static final int FIRST_SLOT = 8;
  private static final Set<String> FAILS = Set.of("fail", "fail?", "handshake", "noaddr");

  private static final List<CommandArguments> QUESTIONS =
      List.of(
          new CommandArguments(Command.CLUSTER).add("SLOTS"),
          new CommandArguments(Command.CLUSTER).add("NODES"));

  /** Slots from first to last, both inclusive, with their primary and its epoch. */
  record Run(int first, int last, Host primary, long epoch) {}

  /** A node as {@code CLUSTER NODES} describes it. */
  private record Node(boolean isPrimary, boolean isReached, long epoch) {}

  ClusterView {
    runs = List.copyOf(runs);
  }

  /** Queries a node for its view. */
  static ClusterView of(Host host, PrimarySettings settings) {
    Connector connector = settings.connector();
    List<@Nullable Object> replies =
        connector.with(host, node -> node.callAll(QUESTIONS, connector.patience()));
    @Nullable Object slots = accepted(replies.get(0));
    try {
      return of(slots, accepted(replies.get(1)), host);
    } catch (JedisException unread) {
      ClusterView believed = of(slots, null, host);
      settings.reports().missingRight("CLUSTER NODES", "the view of each node is trusted", unread);
      return believed;
    }
  }

  private static @Nullable Object accepted(@Nullable Object reply) {
    if (reply instanceof JedisException refused) {
      throw refused;
    }
    return reply;
  }

  /**
   * Parses the replies to {@code CLUSTER SLOTS} and {@code CLUSTER NODES}.
   *
   * @param nodes null if the server does not permit the command; then no primary has an epoch, and
   *     all primaries count as reached
   * @param queried the node that replied; a node that does not know its own name leaves it out
   * @throws JedisException when they are not such replies, or when no slot has a primary
   */
  static ClusterView of(@Nullable Object slots, @Nullable Object nodes, Host queried) {
    Map<String, Node> byId = nodes == null ? Map.of() : nodes(nodes, queried);
    List<Run> runs = new ArrayList<>();
    if (slots instanceof List<?> list) {
      for (Object entry : list) {
        runs.add(run(entry, byId, queried));
      }
    }
    if (runs.isEmpty()) {
      throw new JedisException("the cluster at " + queried + " keeps no slots");
    }
    if (nodes == null) {
      int primaries = (int) runs.stream().map(Run::primary).distinct().count();
      return new ClusterView(runs, primaries, primaries);
    }
    List<Node> primaries = byId.values().stream().filter(Node::isPrimary).toList();
    int reached = (int) primaries.stream().filter(Node::isReached).count();
    return new ClusterView(runs, primaries.size(), reached);
  }

  /**
   * Returns the primary of each slot by the views that count, or by all views if none counts. The
   * entry is null for a slot without a primary.
   */
  static List<@Nullable Host> owners(List<ClusterView> views) {
    int primaries = views.stream().mapToInt(ClusterView::primaries).max().orElse(0);
    List<ClusterView> counting =
        views.stream().filter(view -> 2 * view.reached() > primaries).toList();
    @Nullable Run[] owners = new @Nullable Run[SLOTS];
    for (ClusterView view : counting.isEmpty() ? views : counting) {
      for (Run run : view.runs()) {
        for (int slot = run.first(); slot <= run.last(); slot++) {
          @Nullable Run known = owners[slot];
          owners[slot] = known == null || run.epoch() > known.epoch() ? run : known;
        }
      }
    }
    List<@Nullable Host> hosts = new ArrayList<>(SLOTS);
    for (@Nullable Run owner : owners) {
      hosts.add(owner == null ? null : owner.primary());
    }
    return hosts;
  }

  /** Returns whether this view counts by itself, and names exactly these owners. */
  boolean confirms(List<@Nullable Host> owners) {
    return 2 * reached > primaries && owners(List.of(this)).equals(owners);
  }

  /** Returns the primaries that the view names. */
  Set<Host> hosts() {
    Set<Host> hosts = new LinkedHashSet<>();
    runs.forEach(run -> hosts.add(run.primary()));
    return hosts;
  }

  private static Map<String, Node> nodes(Object reply, Host queried) {
    if (!(reply instanceof byte[] bytes)) {
      throw unreadable("NODES", queried);
    }
    Map<String, Node> nodes = new HashMap<>();
    for (String line : SafeEncoder.encode(bytes).lines().toList()) {
      List<String> fields = Arrays.asList(line.split(" ", -1));
      if (fields.size() >= FIRST_SLOT) {
        nodes.put(fields.get(0), node(fields, queried));
      }
    }
    return nodes;
  }

  private static Node node(List<String> fields, Host queried) {
    List<String> flags = Arrays.asList(fields.get(FLAGS).split(",", -1));
    boolean keepsSlots = fields.size() > FIRST_SLOT && !fields.get(FIRST_SLOT).startsWith("[");
    boolean isConnected = fields.get(LINK).equals("connected");
    try {
      return new Node(
          flags.contains("master") && keepsSlots,
          flags.contains("myself") || (isConnected && Collections.disjoint(flags, FAILS)),
          Long.parseLong(fields.get(EPOCH)));
    } catch (NumberFormatException e) {
      throw unreadable("NODES", queried);
    }
  }

  private static Run run(Object entry, Map<String, Node> nodes, Host queried) {
    if (entry instanceof List<?> run
        && run.size() >= 3
        && run.get(0) instanceof Long first
        && run.get(1) instanceof Long last
        && 0 <= first
        && first <= last
        && last < SLOTS
        && run.get(2) instanceof List<?> primary
        && primary.size() >= 2
        && primary.get(1) instanceof Long port) {
      @Nullable Node node = nodes.get(primary.size() > 2 ? text(primary.get(2)) : "");
      return new Run(
          first.intValue(),
          last.intValue(),
          named(text(primary.get(0)), port.intValue(), queried),
          node == null ? 0 : node.epoch());
    }
    throw unreadable("SLOTS", queried);
  }

  private static JedisException unreadable(String what, Host queried) {
    return new JedisException("CLUSTER " + what + " of " + queried + " cannot be read");
  }

  private static String text(Object item) {
    return item instanceof byte[] bytes ? SafeEncoder.encode(bytes) : "";
  }

  /**
   * Returns an address as a cluster writes it. An empty name or a question mark is the polled node.
   */
  static Host named(String name, int port, Host queried) {
    return new Host(name.isEmpty() || name.equals("?") ? queried.name() : name, port);
  }
}

package dev.weir.redis;

import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimarySettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Polls nodes of a cluster for their views.
 *
 * <p><b>How many.</b> One node is polled while its view confirms the known owners. If it does not,
 * or if nothing is known, two more nodes are polled at the same time. Two replies are enough: any
 * other node reveals a node that has lost its peers. So an unresponsive node costs no time while
 * two others reply.
 */
final class ClusterPoll extends HostPoll<ClusterView> {

  private static final int MOST_ASKED = 3;
  private static final int ENOUGH = 2;

  private static final List<CommandArguments> QUESTIONS =
      List.of(cluster("SLOTS"), cluster("NODES"));

  private final PrimarySettings settings;
  private final Connector connector;

  ClusterPoll(PrimarySettings settings) {
    super("weir-redis-nodes", MOST_ASKED, settings.reports().listener());
    this.settings = settings;
    connector = settings.connector();
  }

  /**
   * Returns the views of some of these nodes, or of nodes that they name.
   *
   * @param out nodes that are not polled when another node names them
   * @param owners the known primary of each slot; empty when nothing is known
   * @throws JedisException when no node replies
   */
  List<ClusterView> views(Collection<Host> hosts, Set<Host> out, List<@Nullable Host> owners) {
    List<Host> shuffled = new ArrayList<>(hosts);
    Collections.shuffle(shuffled);
    Deque<Host> left = new ArrayDeque<>(shuffled);
    Set<Host> met = new HashSet<>(shuffled);
    met.addAll(out);
    Round round = round();
    List<ClusterView> views = new ArrayList<>();
    JedisException failure = new JedisConnectionException("no node has answered");
    int most = owners.isEmpty() ? MOST_ASKED : 1;
    while (views.size() < Math.min(most, ENOUGH)) {
      while (views.size() + round.outstanding() < most && !left.isEmpty()) {
        round.ask(left.removeFirst());
      }
      if (round.outstanding() == 0) {
        break;
      }
      try {
        ClusterView view = round.next(connector.patience());
        views.add(view);
        most = view.confirms(owners) ? most : MOST_ASKED;
        view.hosts().stream().filter(met::add).forEach(left::addLast);
      } catch (JedisException e) {
        failure = e;
        most = MOST_ASKED;
      }
    }
    if (views.isEmpty()) {
      throw failure;
    }
    return views;
  }

  @Override
  ClusterView query(Host host) {
    List<@Nullable Object> replies =
        connector.with(host, node -> node.callAll(QUESTIONS, connector.patience()));
    @Nullable Object slots = accepted(replies.get(0));
    try {
      return ClusterView.of(slots, accepted(replies.get(1)), host);
    } catch (JedisException unread) {
      ClusterView believed = ClusterView.of(slots, null, host);
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

  private static CommandArguments cluster(String question) {
    return new CommandArguments(Command.CLUSTER).add(question);
  }
}

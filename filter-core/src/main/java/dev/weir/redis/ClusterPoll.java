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
 * Asks nodes of a cluster for their views.
 *
 * <p><b>How many.</b> One node is asked while it confirms what is known. Where it does not, or
 * nothing is known, two more are asked at the same time, and two answers suffice: a node that has
 * lost its peers is found out by any other. So a node that is silent costs no time while two others
 * answer.
 */
final class ClusterPoll {

  private static final int MOST_ASKED = 3;
  private static final int ENOUGH = 2;

  private static final List<CommandArguments> QUESTIONS =
      List.of(cluster("SLOTS"), cluster("NODES"));

  private final PrimarySettings settings;
  private final Connector connector;
  private final HostPoll<ClusterView> nodes;

  ClusterPoll(PrimarySettings settings) {
    this.settings = settings;
    connector = settings.connector();
    nodes =
        new HostPoll<>("weir-redis-nodes", MOST_ASKED, settings.reports().listener(), this::view);
  }

  /**
   * The views of some of these nodes, or of those that they name.
   *
   * @param out nodes that are not asked where another node names them
   * @param owners what is known: the primary of each slot; empty where nothing is
   * @throws JedisException when no node answers
   */
  List<ClusterView> views(Collection<Host> hosts, Set<Host> out, List<@Nullable Host> owners) {
    List<Host> shuffled = new ArrayList<>(hosts);
    Collections.shuffle(shuffled);
    Deque<Host> left = new ArrayDeque<>(shuffled);
    Set<Host> met = new HashSet<>(shuffled);
    met.addAll(out);
    HostPoll<ClusterView>.Round round = nodes.round();
    List<ClusterView> views = new ArrayList<>();
    JedisException failure = new JedisConnectionException("no node has answered");
    boolean isConfirmed = !owners.isEmpty();
    while (views.size() < (isConfirmed ? 1 : ENOUGH)) {
      int more = (isConfirmed ? 1 : MOST_ASKED) - views.size() - round.outstanding();
      for (int i = 0; i < more && !left.isEmpty(); i++) {
        round.ask(left.removeFirst());
      }
      if (round.outstanding() == 0 && left.isEmpty()) {
        break;
      }
      if (round.outstanding() == 0) {
        continue; // that one is still being asked from before
      }
      try {
        ClusterView view = round.next(connector.patience());
        views.add(view);
        isConfirmed = isConfirmed && view.confirms(owners);
        view.hosts().stream().filter(met::add).forEach(left::addLast);
      } catch (JedisException e) {
        failure = e;
        isConfirmed = false;
      }
    }
    if (views.isEmpty()) {
      throw failure;
    }
    return views;
  }

  private ClusterView view(Host host) {
    List<@Nullable Object> replies =
        connector.with(host, node -> node.callAll(QUESTIONS, connector.patience()));
    if (replies.get(0) instanceof JedisException refused) {
      throw refused;
    }
    JedisException unread;
    try {
      if (!(replies.get(1) instanceof JedisException refused)) {
        return ClusterView.of(replies.get(0), replies.get(1), host);
      }
      unread = refused;
    } catch (JedisException e) {
      unread = e;
    }
    ClusterView believed = ClusterView.of(replies.get(0), null, host);
    settings.reports().missingRight("CLUSTER NODES", "each node is believed", unread);
    return believed;
  }

  private static CommandArguments cluster(String question) {
    return new CommandArguments(Command.CLUSTER).add(question);
  }

  void close() {
    nodes.close();
  }

  /** Waits for the threads to end. */
  void join(long millis) throws InterruptedException {
    nodes.join(millis);
  }
}

package dev.weir.redis;

import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.ErrorKind;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.RedisConnection;
import dev.weir.redis.internal.client.TimedOutException;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * One primary at a time. The sentinels name it, and its own role must confirm it. Sentinels are
 * polled periodically, so no subscription is needed.
 *
 * <p>All sentinels are polled at the same time. More than half of those that reply must name the
 * same primary. A sentinel that was cut off still names the old one.
 *
 * <p>A new primary has a client of its own. The client of the old primary is closed one deadline
 * later.
 */
final class Sentinels extends RefreshedTopology {

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private volatile @Nullable Standalone primary;

  Sentinels(RedisUri uri, PrimarySettings settings, Probes probes) {
    super(uri, settings, probes, INTERVAL, uri.hosts().size(), "weir-redis-sentinels");
    refreshes.start();
  }

  @Override
  public int slot(String key) {
    return 0;
  }

  @Override
  @Nullable PrimaryClient client(int slot) {
    @Nullable Standalone known = primary;
    return known == null ? null : known.client();
  }

  @Override
  public List<Long> call(int slot, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    return found(() -> primary, call, deadline).call(slot, call, deadline);
  }

  @Override
  void refresh() {
    Host named = named();
    if (!named.equals(primary(0))) {
      requirePrimary(named);
      take(named);
    }
  }

  /**
   * Returns the primary that most sentinels name. Waits for a sentinel only while its reply could
   * change the outcome, and no longer than for any server.
   *
   * @throws JedisException when no sentinel replies, or when they disagree
   */
  private Host named() {
    Connector connector = settings.connector();
    Deadline due = connector.patienceWithQuery();
    HostPoll<Host> poll = poll(sentinel -> connector.withSentinel(sentinel, this::namedBy));
    uri.hosts().forEach(poll::send);
    Map<Host, Integer> votes = new HashMap<>();
    JedisException failure = new TimedOutException("no sentinel has answered");
    while (poll.outstanding() > 0) {
      try {
        votes.merge(poll.next(due), 1, Integer::sum);
      } catch (JedisException e) {
        failure = e;
      }
      Optional<Host> winner = majority(votes, poll.outstanding());
      if (winner.isPresent()) {
        return winner.get();
      }
    }
    throw votes.isEmpty() ? failure : new JedisException("the sentinels disagree: " + votes);
  }

  /** Returns the host that more than half name, whatever the outstanding replies are. */
  static Optional<Host> majority(Map<Host, Integer> votes, int outstanding) {
    int all = outstanding + votes.values().stream().mapToInt(Integer::intValue).sum();
    return votes.entrySet().stream()
        .filter(vote -> 2 * vote.getValue() > all)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private Host namedBy(RedisConnection sentinel) {
    CommandArguments question =
        new CommandArguments(Command.SENTINEL).add("get-master-addr-by-name").add(uri.master());
    Object reply = sentinel.call(question, settings.connector().patience());
    if (reply instanceof List<?> address
        && address.size() == 2
        && address.get(0) instanceof byte[] name
        && address.get(1) instanceof byte[] port) {
      return new Host(SafeEncoder.encode(name), Integer.parseInt(SafeEncoder.encode(port)));
    }
    throw new JedisException("the sentinels know no master '" + uri.master() + "'");
  }

  /**
   * Checks the role of the server that the sentinels name. They may be notified late that a server
   * is no longer a primary, but the server knows. If it does not permit the query, the sentinels
   * are believed.
   */
  private void requirePrimary(Host named) {
    try {
      CommandArguments question = new CommandArguments(Command.ROLE);
      Connector connector = settings.connector();
      Object role = connector.with(named, server -> server.call(question, connector.patience()));
      boolean isPrimary =
          role instanceof List<?> fields
              && !fields.isEmpty()
              && fields.get(0) instanceof byte[] name
              && SafeEncoder.encode(name).equals("master");
      if (!isPrimary) {
        throw new JedisException(named + " is no primary, though the sentinels name it");
      }
    } catch (JedisDataException e) {
      if (ErrorKind.of(e) != ErrorKind.SETUP) {
        throw e;
      }
    }
  }

  private synchronized void take(Host named) {
    if (isClosed()) {
      return;
    }
    @Nullable Standalone known = primary;
    primary = new Standalone(named, settings, probes);
    if (known != null) {
      retire(known.client());
    }
  }

  @Override
  public List<PrimaryClient> clients() {
    @Nullable PrimaryClient client = client(0);
    return client == null ? List.of() : List.of(client);
  }
}

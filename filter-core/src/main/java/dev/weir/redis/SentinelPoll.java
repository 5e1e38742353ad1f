package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.RedisConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * A poll of all sentinels, at the same time, for the primary. More than half of those that reply
 * must name the same one. A sentinel that was cut off still names the old one.
 *
 * <p>The poll waits for a sentinel only while its reply could change the outcome, and no longer
 * than for any server.
 */
final class SentinelPoll extends HostPoll<Host> {

  private final RedisUri uri;
  private final Connector connector;

  SentinelPoll(RedisUri uri, PrimarySettings settings) {
    super("weir-redis-sentinels", uri.hosts().size(), settings.reports().listener());
    this.uri = uri;
    connector = settings.connector();
  }

  @Override
  Host query(Host sentinel) {
    return connector.withSentinel(sentinel, this::named);
  }

  /**
   * Returns the primary that most of them name.
   *
   * @throws JedisException when no sentinel replies, or when they disagree
   */
  Host named() {
    Deadline due = connector.patience();
    Round round = round();
    uri.hosts().forEach(round::ask);
    Map<Host, Integer> votes = new HashMap<>();
    JedisException failure = new JedisConnectionException("no sentinel has answered");
    while (round.outstanding() > 0) {
      try {
        votes.merge(round.next(due), 1, Integer::sum);
      } catch (JedisException e) {
        failure = e;
      }
      Optional<Host> winner = majority(votes, round.outstanding());
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

  private Host named(RedisConnection sentinel) {
    CommandArguments question =
        new CommandArguments(Command.SENTINEL).add("get-master-addr-by-name").add(uri.master());
    Object reply = sentinel.call(question, connector.patience());
    if (reply instanceof List<?> address
        && address.size() == 2
        && address.get(0) instanceof byte[] name
        && address.get(1) instanceof byte[] port) {
      return new Host(SafeEncoder.encode(name), Integer.parseInt(SafeEncoder.encode(port)));
    }
    throw new JedisException("the sentinels know no master '" + uri.master() + "'");
  }
}

package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * One primary at a time, which most of the sentinels that answer name: one that was cut off still
 * names the old one. They are asked again and again: they need no subscription.
 *
 * <p>A new primary has a lane of its own: no connection, and no probe, to the old one outlives it.
 */
final class Sentinels implements Topology {

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final RedisUri uri;
  private final Connector connector;
  private final Lanes lanes;
  private final Scout scout;
  private final Object change = new Object();
  private volatile @Nullable Standalone primary;
  private boolean closed;

  Sentinels(RedisUri uri, Connector connector, Lanes lanes, Reports reports) {
    this.uri = uri;
    this.connector = connector;
    this.lanes = lanes;
    scout = new Scout(uri.toString(), this::look, this::isHealthy, INTERVAL, reports);
    scout.start();
  }

  @Override
  public int group(String key) {
    return 0;
  }

  @Override
  public Object call(int group, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    @Nullable Standalone known = primary;
    if (known == null) {
      scout.await(deadline);
      known = primary;
    }
    if (known == null) {
      throw new StoreUnavailableException("redis: no primary known", scout.interval(), null);
    }
    return known.call(group, call, deadline);
  }

  private void look() {
    Host named = named();
    synchronized (change) {
      @Nullable Standalone known = primary;
      if (closed || (known != null && known.address().equals(named))) {
        return;
      }
      primary = new Standalone(named, lanes);
      if (known != null) {
        known.retire();
      }
    }
  }

  private Host named() {
    Map<Host, Integer> votes = new HashMap<>();
    JedisException failure = new JedisConnectionException("no sentinel");
    for (Host sentinel : uri.hosts()) {
      try {
        votes.merge(connector.withSentinel(sentinel, this::named), 1, Integer::sum);
      } catch (JedisException e) {
        failure = e;
      }
    }
    if (votes.isEmpty()) {
      throw failure;
    }
    return majority(votes);
  }

  /**
   * Which one more than half of them name.
   *
   * @throws JedisException when there is none
   */
  static Host majority(Map<Host, Integer> votes) {
    int all = votes.values().stream().mapToInt(Integer::intValue).sum();
    return votes.entrySet().stream()
        .filter(vote -> 2 * vote.getValue() > all)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new JedisException("the sentinels disagree: " + votes));
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

  @Override
  public List<Lane> lanes() {
    @Nullable Standalone known = primary;
    return known == null ? List.of() : known.lanes();
  }

  @Override
  public Duration nextProbe() {
    @Nullable Standalone known = primary;
    return known == null ? scout.interval() : known.nextProbe();
  }

  @Override
  public void close() {
    synchronized (change) {
      closed = true;
    }
    scout.close();
    lanes().forEach(Lane::close);
  }

  @Override
  public void join(long millis) throws InterruptedException {
    scout.join(millis);
    for (Lane each : lanes()) {
      each.join(millis);
    }
  }
}

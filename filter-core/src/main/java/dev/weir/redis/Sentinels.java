package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * One primary at a time, which sentinels name. They are asked again and again: they need no
 * subscription.
 */
final class Sentinels implements Topology {

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final RedisUri uri;
  private final Connector connector;
  private final Lanes lanes;
  private final Scout scout;
  private final Object change = new Object();
  private volatile @Nullable Lane lane;
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
    @Nullable Lane known = lane;
    if (known == null) {
      scout.await(deadline);
      known = lane;
    }
    if (known == null) {
      throw new StoreUnavailableException("redis: no primary known", scout.interval(), null);
    }
    return Standalone.callSingle(known, call, deadline);
  }

  private void look() {
    Host primary = primary();
    synchronized (change) {
      @Nullable Lane known = lane;
      if (known == null && !closed) {
        lane = lanes.to(primary);
      } else if (known != null && !known.address().equals(primary)) {
        known.moveTo(primary);
      }
    }
  }

  private Host primary() {
    List<Host> sentinels = new ArrayList<>(uri.hosts());
    Collections.shuffle(sentinels);
    JedisException failure = new JedisConnectionException("no sentinel");
    for (Host sentinel : sentinels) {
      try {
        return connector.withSentinel(sentinel, this::primary);
      } catch (JedisException e) {
        failure = e;
      }
    }
    throw failure;
  }

  private Host primary(RedisConnection sentinel) {
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
    @Nullable Lane known = lane;
    return known == null ? List.of() : List.of(known);
  }

  @Override
  public Duration nextProbe() {
    @Nullable Lane known = lane;
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

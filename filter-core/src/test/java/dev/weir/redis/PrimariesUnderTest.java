package dev.weir.redis;

import dev.weir.redis.internal.client.Access;
import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.PrimarySettings.UnsettledCalls;
import dev.weir.redis.internal.client.RedisConnection.Login;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.client.Sharding;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The common parts of clients of primaries, without a store around them. */
final class PrimariesUnderTest implements AutoCloseable {

  private final SocketTimer timer = new SocketTimer("weir-redis-test-timer", LimiterListener.NONE);
  private final RedisKeys keys = new RedisKeys("primaries", Optional.empty());
  private final Commands commands = Commands.byServerTime(Instant::now);
  private final Probes probes = new Probes(keys, commands);

  /** Returns refunds that are never sent: each waits for so long. */
  static Refunds refunds(Duration pause) {
    return new Refunds(pause, new Reports(LimiterListener.NONE));
  }

  /** Returns a connector without TLS. */
  static Connector connector(SocketTimer timer, Login login, Duration deadline) {
    return new Connector(
        Access.plain(login),
        "weir-test",
        timer,
        deadline,
        new Reports(LimiterListener.NONE),
        sharding());
  }

  /** Returns the knowledge that one server has all keys. */
  private static Sharding sharding() {
    return new Sharding(Optional.empty(), new Reports(LimiterListener.NONE));
  }

  PrimarySettings settings(
      String uri,
      Duration deadline,
      UnsettledCalls refunds,
      LimiterListener listener,
      Runnable onTopologySuspect) {
    RedisOptions options = RedisOptions.of(uri, "primaries").withDeadline(deadline);
    Reports reports = new Reports(listener);
    return new PrimarySettings(
        options.connector(timer, reports, options.sharding(keys, reports)),
        timer,
        reports,
        deadline,
        true,
        refunds,
        onTopologySuspect);
  }

  Probes probes() {
    return probes;
  }

  /** Returns a decider for this topology. */
  Decider decider(Topology topology) {
    return new Decider(new Router(keys, commands, topology, sharding()));
  }

  /** Called after the clients are closed. */
  @Override
  public void close() {
    timer.close();
  }
}

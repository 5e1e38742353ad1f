package dev.weir.redis;

import dev.weir.LimiterListener;
import dev.weir.redis.internal.client.LateReplies;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.redis.internal.client.Traffic;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.RedisKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What clients of primaries share, where no store is around them. */
final class PrimariesUnderTest implements AutoCloseable {

  private final SocketTimer timer = new SocketTimer("weir-redis-test-timer", LimiterListener.NONE);
  private final RedisKeys keys = new RedisKeys("primaries", Optional.empty());
  private final Commands commands = Commands.byServerTime(Instant::now);
  private final Probes probes = new Probes(keys, commands);

  /** Refunds that are never sent: each waits for so long. */
  static Refunds refunds(Duration pause) {
    return new Refunds(pause, new Reports(LimiterListener.NONE));
  }

  PrimarySettings settings(
      String uri,
      Duration deadline,
      LateReplies refunds,
      LimiterListener listener,
      Runnable onTopologySuspect) {
    RedisOptions options = RedisOptions.of(uri, "primaries").withDeadline(deadline);
    return new PrimarySettings(
        options.connector(timer),
        timer,
        new Reports(listener),
        new Traffic(),
        deadline,
        true,
        refunds,
        onTopologySuspect);
  }

  Probes probes() {
    return probes;
  }

  /** Decides by this topology. */
  Decider decider(Topology topology) {
    return new Decider(new Router(keys, commands, topology));
  }

  /** After the clients are closed. */
  @Override
  public void close() {
    timer.close();
  }
}

package dev.weir.redis;

import dev.weir.Jvm;
import dev.weir.delay.DelayMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/**
 * A Redis whose replies take a fixed time on the way, whatever the load.
 *
 * @param uri of the proxy before it, which has a process of its own: a pause of ours is not its
 */
record FarRedis(RedisServer server, Process proxy, String uri) implements AutoCloseable {

  static FarRedis at(Duration roundTrip) {
    return before(RedisServer.start(RedisVersion.newest()), roundTrip);
  }

  /** Closes the server too. */
  static FarRedis before(RedisServer server, Duration roundTrip) {
    try {
      String delayNanos = String.valueOf(roundTrip.toNanos() / 2);
      Process proxy =
          Jvm.start(
              DelayMain.class, List.of("127.0.0.1", String.valueOf(server.port()), delayNanos));
      return new FarRedis(server, proxy, "redis://127.0.0.1:" + proxy.inputReader().readLine());
    } catch (IOException e) {
      server.close();
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    proxy.destroyForcibly();
    server.close();
  }
}

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
      Process proxy = proxy(server.port(), roundTrip);
      return new FarRedis(server, proxy, "redis://127.0.0.1:" + proxy.inputReader().readLine());
    } catch (IOException e) {
      server.close();
      throw new UncheckedIOException(e);
    }
  }

  /** A proxy before this port, whose first line says its own. */
  static Process proxy(int port, Duration roundTrip) throws IOException {
    String delayNanos = String.valueOf(roundTrip.toNanos() / 2);
    return Jvm.start(DelayMain.class, List.of("127.0.0.1", String.valueOf(port), delayNanos));
  }

  @Override
  public void close() {
    proxy.destroyForcibly();
    server.close();
  }
}

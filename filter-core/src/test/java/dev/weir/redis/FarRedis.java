package dev.weir.redis;

import dev.weir.delay.DelayMain;
import dev.weir.fixture.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/**
 * A Redis with a fixed delay of its replies, whatever the load.
 *
 * @param uri of the proxy in front of it, a separate process: a pause of ours does not pause it
 */
record FarRedis(RedisServer server, Process proxy, String uri) implements AutoCloseable {

  static FarRedis at(Duration roundTrip) {
    return before(RedisServer.start(RedisVersion.newest()), roundTrip);
  }

  /** Takes over the server and closes it too. */
  static FarRedis before(RedisServer server, Duration roundTrip) {
    try {
      Process proxy = proxy(server.port(), roundTrip);
      return new FarRedis(server, proxy, "redis://127.0.0.1:" + proxy.inputReader().readLine());
    } catch (IOException e) {
      server.close();
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a proxy in front of this port; its first line is its own port. */
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

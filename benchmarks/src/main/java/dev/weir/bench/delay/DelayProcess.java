package dev.weir.bench.delay;

import dev.weir.bench.ChildJvm;
import dev.weir.delay.DelayMain;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * The proxy of {@link DelayMain} in a process of its own: its threads and its garbage do not
 * disturb the process under test.
 *
 * @param uri of the Redis behind it, at a distance
 */
public record DelayProcess(ChildJvm jvm, String uri) implements AutoCloseable {

  private static final List<String> OPTIONS =
      List.of("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final int USUAL_PORT = 6_379;

  /** Starts a proxy for this Redis, which delays each way by half of this round trip. */
  public static DelayProcess start(String redis, Duration roundTrip) throws IOException {
    URI target = URI.create(redis);
    int port = target.getPort() < 0 ? USUAL_PORT : target.getPort();
    ChildJvm jvm =
        ChildJvm.start(DelayMain.class, OPTIONS, target.getHost(), port, roundTrip.toNanos() / 2);
    String credentials = target.getRawUserInfo() == null ? "" : target.getRawUserInfo() + "@";
    String database = target.getRawPath() == null ? "" : target.getRawPath();
    return new DelayProcess(jvm, "redis://" + credentials + "127.0.0.1:" + jvm.answer() + database);
  }

  @Override
  public void close() {
    jvm.close();
  }
}

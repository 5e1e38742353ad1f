package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** One Redis, which keeps every key. */
final class Standalone implements Topology {

  private final Lane lane;

  Standalone(Host host, Lanes lanes) {
    lane = lanes.to(host);
  }

  @Override
  public int group(String key) {
    return 0;
  }

  @Override
  public Object call(int group, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    return callSingle(lane, call, deadline);
  }

  /** A redirection from a server that was said to be alone. */
  static Object callSingle(Lane lane, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    try {
      return lane.call(call, deadline);
    } catch (JedisRedirectionException cluster) {
      throw new StoreUnavailableException(
          "redis "
              + lane.address()
              + ": belongs to a cluster (expected: redis-cluster:// in redis.uri)",
          lane.nextProbe(),
          cluster);
    }
  }

  @Override
  public List<Lane> lanes() {
    return List.of(lane);
  }

  @Override
  public Duration nextProbe() {
    return lane.nextProbe();
  }

  @Override
  public void close() {
    lane.close();
  }

  @Override
  public void join(long millis) throws InterruptedException {
    lane.join(millis);
  }
}

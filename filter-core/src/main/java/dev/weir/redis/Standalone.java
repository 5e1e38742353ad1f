package dev.weir.redis;

import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** One Redis, which has every key. */
final class Standalone implements Topology {

  private static final int NONE = -1;

  private final PrimaryClient client;

  /** A slot that the server has redirected. A server outside of a cluster redirects none. */
  private final AtomicInteger foreignSlot;

  Standalone(Host host, PrimarySettings settings, Probes probes) {
    AtomicInteger foreign = new AtomicInteger(NONE);
    foreignSlot = foreign;
    client = new PrimaryClient(host, settings, key -> 0, () -> write(probes, foreign.get()));
  }

  /**
   * Returns the write of a probe. After a redirection it is in the redirected slot, so that the
   * breaker stays open while calls would be redirected again.
   */
  private static @Nullable ScriptCall write(Probes probes, int foreign) {
    return foreign == NONE ? probes.anywhere() : probes.where(slot -> slot == foreign);
  }

  @Override
  public int slot(String key) {
    return 0;
  }

  @Override
  public Host primary(int slot) {
    return client.address();
  }

  @Override
  public List<Long> call(int slot, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    try {
      return client.call(call, deadline);
    } catch (JedisRedirectionException elsewhere) {
      int redirected = elsewhere.getSlot();
      foreignSlot.set(redirected >= 0 && redirected < ClusterView.SLOTS ? redirected : NONE);
      JedisException why =
          new JedisDataException(
              "belongs to a cluster (expected: redis-cluster:// in redis.uri): "
                  + elsewhere.getMessage(),
              elsewhere);
      client.openBreaker(why);
      throw new StoreUnavailableException(
          "redis " + client.address() + ": " + why.getMessage(),
          client.nextProbe(),
          new NotSentException(String.valueOf(why.getMessage()), Kind.OUTAGE, why));
    }
  }

  @Override
  public void post(int slot, ScriptCall refund) {
    client.post(refund);
  }

  PrimaryClient client() {
    return client;
  }

  @Override
  public List<PrimaryClient> clients() {
    return List.of(client);
  }

  @Override
  public Duration nextProbe() {
    return client.nextProbe();
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public void join(long millis) throws InterruptedException {
    client.join(millis);
  }
}

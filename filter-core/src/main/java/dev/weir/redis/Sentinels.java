package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.ErrorKind;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.RedisConnection;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * One primary at a time. The sentinels name it, and its own role must confirm it. Sentinels are
 * polled periodically, so no subscription is needed.
 *
 * <p>A new primary has a client of its own. So no connection, probe or call to the old primary
 * outlives it.
 */
final class Sentinels extends RefreshedTopology {

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final SentinelPoll poll;
  private volatile @Nullable Standalone primary;

  Sentinels(RedisUri uri, PrimarySettings settings, Probes probes) {
    super(uri, settings, probes, INTERVAL);
    poll = new SentinelPoll(uri, settings);
    startRefreshing();
  }

  @Override
  public int slot(String key) {
    return 0;
  }

  @Override
  public @Nullable Host primary(int slot) {
    @Nullable Standalone known = primary;
    return known == null ? null : known.address();
  }

  @Override
  public void post(int slot, ScriptCall refund) {
    @Nullable Standalone known = primary;
    if (known == null) {
      settings.unsettled().addUnsent(refund);
    } else {
      known.post(slot, refund);
    }
  }

  @Override
  public List<Long> call(int slot, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    return found(() -> primary, deadline).call(slot, call, deadline);
  }

  @Override
  void refresh() {
    Host named = poll.named();
    if (!isKnown(named)) {
      requirePrimary(named);
      take(named);
    }
  }

  private boolean isKnown(Host named) {
    @Nullable Standalone known = primary;
    return known != null && known.address().equals(named);
  }

  /**
   * Checks the role of the server that the sentinels name. They may be notified late that a server
   * is no longer a primary, but the server knows. If it does not permit the query, the sentinels
   * are believed.
   */
  private void requirePrimary(Host named) {
    try {
      Object role = settings.connector().with(named, this::role);
      if (!isPrimary(role)) {
        throw new JedisException(named + " is no primary, though the sentinels name it");
      }
    } catch (JedisDataException e) {
      if (ErrorKind.of(e) != ErrorKind.SETUP) {
        throw e;
      }
    }
  }

  private Object role(RedisConnection server) {
    return server.call(new CommandArguments(Command.ROLE), settings.connector().patience());
  }

  private static boolean isPrimary(Object role) {
    return role instanceof List<?> fields
        && !fields.isEmpty()
        && fields.get(0) instanceof byte[] name
        && SafeEncoder.encode(name).equals("master");
  }

  private synchronized void take(Host named) {
    if (isClosed()) {
      return;
    }
    @Nullable Standalone known = primary;
    primary = new Standalone(named, settings, probes);
    if (known != null) {
      known.retire();
    }
  }

  @Override
  public List<PrimaryClient> clients() {
    @Nullable Standalone known = primary;
    return known == null ? List.of() : known.clients();
  }

  @Override
  HostPoll<?> poll() {
    return poll;
  }
}

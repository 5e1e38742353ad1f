package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.ClusterView.Run;
import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Many primaries, each with its slots, its client and its breaker. What the cluster says of itself
 * is looked up beside the requests; a request learns of a slot that has moved from the redirection
 * itself. That is the only reason for which this class sends it again: nothing was charged. {@link
 * RedisLimitStore} lists all reasons.
 */
final class Cluster extends RefreshedTopology {

  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int MOST_REDIRECTIONS = 3;

  /** A primary that is given its first slot keeps none yet, and is asked again and again. */
  private static final long GUEST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicReferenceArray<@Nullable PrimaryClient> bySlot =
      new AtomicReferenceArray<>(ClusterView.SLOTS);

  /** When somebody was last sent to a primary for a slot that is on its way. */
  private final Map<Host, Long> askedNanos = new HashMap<>();

  private volatile Map<Host, PrimaryClient> byAddress = Map.of();

  Cluster(RedisUri uri, PrimarySettings settings, Probes probes) {
    super(uri, settings, probes, INTERVAL);
    startRefreshing();
  }

  @Override
  public int slot(String key) {
    return RedisKeys.slot(key);
  }

  @Override
  public List<Long> call(int slot, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    PrimaryClient client = found(() -> bySlot.get(slot), deadline);
    try {
      return client.call(call, deadline);
    } catch (JedisRedirectionException elsewhere) {
      return follow(elsewhere, client, call, deadline);
    }
  }

  @Override
  public void requireHealthy(int slot) throws StoreUnavailableException {
    @Nullable PrimaryClient client = bySlot.get(slot);
    if (client != null && !client.isHealthy()) {
      throw new StoreUnavailableException(
          "redis " + client.address() + ": is out", client.nextProbe(), null);
    }
  }

  private List<Long> follow(
      JedisRedirectionException first, PrimaryClient asked, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    JedisRedirectionException redirection = first;
    PrimaryClient from = asked;
    for (int i = 0; i < MOST_REDIRECTIONS && !deadline.hasPassed(); i++) {
      PrimaryClient to = redirected(redirection, from);
      try {
        return redirection instanceof JedisAskDataException
            ? to.callAsking(call, deadline)
            : to.call(call, deadline);
      } catch (JedisRedirectionException again) {
        redirection = again;
        from = to;
      }
    }
    String slot = "slot " + redirection.getSlot();
    if (deadline.hasPassed()) {
      throw unavailable(slot + " is elsewhere by now", Kind.OUT_OF_TIME, redirection);
    }
    throw unavailable(slot + " was redirected too often", redirection);
  }

  private PrimaryClient redirected(JedisRedirectionException redirection, PrimaryClient from)
      throws StoreUnavailableException {
    int slot = redirection.getSlot();
    if (slot < 0 || slot >= ClusterView.SLOTS) {
      throw unavailable("slot " + slot + " was redirected (expected: 0 to 16383)", redirection);
    }
    Host target =
        ClusterView.named(
            redirection.getTargetNode().getHost(),
            redirection.getTargetNode().getPort(),
            from.address());
    return redirectedTo(target, redirection);
  }

  private synchronized PrimaryClient redirectedTo(
      Host target, JedisRedirectionException redirection) throws StoreUnavailableException {
    if (isClosed()) {
      throw unavailable("the store was closed", null);
    }
    Map<Host, PrimaryClient> known = new HashMap<>(byAddress);
    PrimaryClient client = known.computeIfAbsent(target, this::clientOf);
    byAddress = Map.copyOf(known);
    if (redirection instanceof JedisAskDataException) {
      askedNanos.put(target, System.nanoTime());
    } else {
      bySlot.set(redirection.getSlot(), client);
      refreshSoon();
    }
    return client;
  }

  @Override
  void refresh() {
    take(view()).forEach(PrimaryClient::retire);
  }

  /** Asks the seeds and the primaries known, in any order, until one answers. */
  private ClusterView view() {
    Set<Host> all = new LinkedHashSet<>(byAddress.keySet());
    all.addAll(uri.hosts());
    List<Host> hosts = new ArrayList<>(all);
    Collections.shuffle(hosts);
    Connector connector = settings.connector();
    JedisException failure = new JedisConnectionException("no node");
    for (Host host : hosts) {
      try {
        return connector.with(
            host, node -> ClusterView.of(node.call(question(), connector.patience()), host));
      } catch (JedisException e) {
        failure = e;
      }
    }
    throw failure;
  }

  private static CommandArguments question() {
    return new CommandArguments(Command.CLUSTER).add("SLOTS");
  }

  /** Returns the clients that are needed no more. */
  private synchronized List<PrimaryClient> take(ClusterView view) {
    if (isClosed()) {
      return List.of();
    }
    Map<Host, PrimaryClient> next = new HashMap<>();
    for (Run run : view.runs()) {
      @Nullable PrimaryClient known = byAddress.get(run.primary());
      PrimaryClient client =
          next.computeIfAbsent(run.primary(), at -> known == null ? clientOf(at) : known);
      for (int slot = run.first(); slot <= run.last(); slot++) {
        bySlot.set(slot, client);
      }
    }
    addGuests(next);
    List<PrimaryClient> gone = new ArrayList<>(byAddress.values());
    gone.removeAll(next.values());
    byAddress = Map.copyOf(next);
    return gone;
  }

  private void addGuests(Map<Host, PrimaryClient> next) {
    long now = System.nanoTime();
    askedNanos.values().removeIf(nanos -> now - nanos > GUEST_NANOS);
    for (Host host : askedNanos.keySet()) {
      @Nullable PrimaryClient client = byAddress.get(host);
      if (client != null) {
        next.putIfAbsent(host, client);
      }
    }
  }

  private PrimaryClient clientOf(Host host) {
    return new PrimaryClient(
        host,
        settings,
        RedisKeys::slot,
        client -> probes.where(slot -> bySlot.get(slot) == client));
  }

  @Override
  public List<PrimaryClient> clients() {
    return List.copyOf(byAddress.values());
  }
}

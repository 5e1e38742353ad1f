package dev.weir.redis;

import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.TimedOutException;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Several primaries, each with its slots, its client and its breaker. The topology is refreshed in
 * the background, outside of the requests. If a slot has moved, the redirection names the new
 * primary. This class sends a call again only after a redirection, because nothing was charged
 * then. {@link RedisLimitStore} lists all reasons to send a call again.
 */
final class Cluster extends RefreshedTopology {

  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int MOST_REDIRECTIONS = 3;
  private static final int MOST_POLLED = 3;
  private static final int ENOUGH_VIEWS = 2;

  /**
   * How long a primary without slots is kept after a redirection to it. The other nodes may not
   * know yet that it has a slot.
   */
  private static final long GUEST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicReferenceArray<@Nullable PrimaryClient> bySlot =
      new AtomicReferenceArray<>(ClusterView.SLOTS);

  /** The time of the last redirection to each primary. */
  private final Map<Host, Long> redirectedNanos = new HashMap<>();

  private volatile Map<Host, PrimaryClient> byAddress = Map.of();

  Cluster(RedisUri uri, PrimarySettings settings, Probes probes) {
    super(uri, settings, probes, INTERVAL, MOST_POLLED, "weir-redis-nodes");
    refreshes.start();
  }

  @Override
  public int slot(String key) {
    return RedisKeys.slot(key);
  }

  @Override
  @Nullable PrimaryClient client(int slot) {
    return bySlot.get(slot);
  }

  @Override
  public List<Long> call(int slot, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    PrimaryClient client = found(() -> bySlot.get(slot), call, deadline);
    try {
      return client.call(call, deadline);
    } catch (JedisRedirectionException elsewhere) {
      return follow(elsewhere, client, call, deadline);
    }
  }

  @Override
  public void requireHealthy(int slot) throws StoreUnavailableException {
    @Nullable PrimaryClient client = bySlot.get(slot);
    if (client != null) {
      client.requireHealthy();
    }
  }

  private List<Long> follow(
      JedisRedirectionException first, PrimaryClient former, ScriptCall call, Deadline deadline)
      throws StoreUnavailableException {
    JedisRedirectionException redirection = first;
    PrimaryClient from = former;
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
    HostAndPort named = redirection.getTargetNode();
    Host target = ClusterView.named(named.getHost(), named.getPort(), from.address());
    synchronized (this) {
      if (isClosed()) {
        throw unavailable("the store was closed", null);
      }
      Map<Host, PrimaryClient> known = new HashMap<>(byAddress);
      PrimaryClient client = known.computeIfAbsent(target, this::clientOf);
      byAddress = Map.copyOf(known);
      redirectedNanos.put(target, System.nanoTime());
      if (!(redirection instanceof JedisAskDataException)) {
        bySlot.set(slot, client);
        refreshes.runSoon(); // the rest of the topology may be out of date
      }
      return client;
    }
  }

  @Override
  void refresh() {
    take(ClusterView.owners(views()));
  }

  @Override
  void refreshed() {
    if (!settings.batching()) {
      return;
    }
    for (PrimaryClient client : clients()) {
      @Nullable ScriptCall decisions = probes.across(slot -> bySlot.get(slot) == client);
      if (decisions != null) {
        client.tryAcross(decisions);
      }
    }
  }

  /** Returns the views of healthy primaries, or else of the other primaries and the seeds. */
  private List<ClusterView> views() {
    Set<Host> well = new HashSet<>();
    Set<Host> out = new HashSet<>();
    byAddress.forEach((host, client) -> (client.isHealthy() ? well : out).add(host));
    if (!well.isEmpty()) {
      try {
        return views(
            well, out, IntStream.range(0, ClusterView.SLOTS).mapToObj(this::primary).toList());
      } catch (JedisException e) {
        // the others and the seeds may reply
      }
    }
    Set<Host> all = new HashSet<>(byAddress.keySet());
    all.addAll(uri.hosts());
    return views(all, Set.of(), List.of());
  }

  /**
   * Returns the views of some of these nodes, or of nodes that they name.
   *
   * <p>One node is polled while its view confirms the known owners. If it does not, or if nothing
   * is known, two more nodes are polled at the same time. Two replies are enough: any other node
   * reveals a node that has lost its peers. So an unresponsive node costs no time while two others
   * reply.
   *
   * @param out nodes that are not polled when another node names them
   * @param owners the known primary of each slot; empty when nothing is known
   * @throws JedisException when no node replies
   */
  private List<ClusterView> views(Set<Host> hosts, Set<Host> out, List<@Nullable Host> owners) {
    List<Host> shuffled = new ArrayList<>(hosts);
    Collections.shuffle(shuffled);
    Deque<Host> left = new ArrayDeque<>(shuffled);
    Set<Host> met = new HashSet<>(shuffled);
    met.addAll(out);
    HostPoll<ClusterView> poll = poll(host -> ClusterView.of(host, settings));
    List<ClusterView> views = new ArrayList<>();
    JedisException failure = new TimedOutException("no node has answered");
    int most = owners.isEmpty() ? MOST_POLLED : 1;
    while (views.size() < Math.min(most, ENOUGH_VIEWS)) {
      while (views.size() + poll.outstanding() < most && !left.isEmpty()) {
        poll.send(left.removeFirst());
      }
      if (poll.outstanding() == 0) {
        break;
      }
      try {
        ClusterView view = poll.next(settings.connector().patienceWithQuery());
        views.add(view);
        most = view.confirms(owners) ? most : MOST_POLLED;
        view.hosts().stream().filter(met::add).forEach(left::addLast);
      } catch (JedisException e) {
        failure = e;
        most = MOST_POLLED;
      }
    }
    if (views.isEmpty()) {
      throw failure;
    }
    return views;
  }

  /** Replaces the clients by those of these owners. */
  private synchronized void take(List<@Nullable Host> owners) {
    if (isClosed()) {
      return;
    }
    Map<Host, PrimaryClient> next = new HashMap<>();
    for (int slot = 0; slot < owners.size(); slot++) {
      @Nullable Host owner = owners.get(slot);
      if (owner != null) {
        @Nullable PrimaryClient known = byAddress.get(owner);
        bySlot.set(slot, next.computeIfAbsent(owner, at -> known == null ? clientOf(at) : known));
      }
    }
    long now = System.nanoTime();
    redirectedNanos.values().removeIf(nanos -> now - nanos > GUEST_NANOS);
    for (Host guest : redirectedNanos.keySet()) {
      @Nullable PrimaryClient client = byAddress.get(guest);
      if (client != null) {
        next.putIfAbsent(guest, client);
      }
    }
    List<PrimaryClient> gone = new ArrayList<>(byAddress.values());
    gone.removeAll(next.values());
    byAddress = Map.copyOf(next);
    gone.forEach(this::retire);
  }

  private PrimaryClient clientOf(Host host) {
    return new PrimaryClient(
        host, settings, RedisKeys::slot, () -> probes.where(slot -> host.equals(primary(slot))));
  }

  @Override
  public List<PrimaryClient> clients() {
    return List.copyOf(byAddress.values());
  }
}

package dev.weir.redis;

import dev.weir.AcquireRequest;
import dev.weir.Adjustment;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.LimiterListener;
import dev.weir.NodeShare;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.redis.internal.client.Traffic;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.RedisKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Counters that all nodes share, in one Redis, behind Sentinel or in a Cluster.
 *
 * <p>A decision is one script, atomic in Redis. Charges whose keys share a slot, which all limits
 * of one subject do, are decided together; without a cluster all do. Across slots they are decided
 * one slot after the other, and what was granted is given back when a later one denies: a refund
 * that is lost only under-admits. The other slots are then asked, without charging, how they stand.
 *
 * <p>Every answer comes by its deadline, or a sixteenth of the store's later; or later still where
 * this JVM stood still. Failures open the breaker of the primary that failed; until probes have
 * written there again, decisions that need it throw at once. A script that fails for our own
 * reasons is reported to {@link LimiterListener#onError} and throws too, since nothing was counted,
 * but speaks against nobody's health. No decision is sent twice but where the first time has
 * charged nothing: a script that Redis does not know yet, a slot that moves or that a cluster
 * redirects, keys that turn out to be in several slots, a calendar that Redis is past.
 *
 * <p>Thread-safe.
 */
public final class RedisLimitStore implements LimitStore {

  private static final long CLOSING_MILLIS = 400;
  private static final Duration RETRY_AFTER_CLOSE = Duration.ofDays(1);

  private final Duration deadline;
  private final SocketTimer timer;
  private final Topology topology;
  private final Adjuster adjuster;
  private final Traffic traffic = new Traffic();
  private final Heartbeat heartbeat;
  private final Refunds refunds;
  private final Decider decider;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RedisLimitStore(RedisOptions options, LimiterListener listener, Supplier<Instant> clock) {
    Reports reports = new Reports(listener);
    deadline = options.deadline();
    RedisKeys keys = new RedisKeys(options.application(), options.secret());
    Commands commands = commands(options.clock(), clock);
    Probes probes = new Probes(keys, commands);
    timer = new SocketTimer("weir-redis-timer", reports.listener());
    refunds = new Refunds(deadline, reports);
    PrimarySettings settings =
        new PrimarySettings(
            options.connector(timer),
            timer,
            reports,
            traffic,
            deadline,
            options.batching(),
            refunds,
            () -> {});
    topology =
        switch (options.uri().kind()) {
          case STANDALONE -> new Standalone(options.uri().hosts().get(0), settings, probes);
          case SENTINEL -> new Sentinels(options.uri(), settings, probes);
          case CLUSTER -> new Cluster(options.uri(), settings, probes);
        };
    Router router = new Router(keys, commands, topology);
    adjuster = new Adjuster(router, refunds);
    refunds.sendBy(adjuster);
    decider = new Decider(router);
    heartbeat = new Heartbeat(options, topology, keys, commands, reports.listener());
  }

  private static Commands commands(RedisClock decides, Supplier<Instant> clock) {
    return switch (decides) {
      case REDIS -> Commands.byServerTime(clock);
      case NODE -> Commands.byNodeTime(clock);
    };
  }

  /**
   * Returns at once, whether Redis is up or not: it connects beside the requests, and goes on
   * trying.
   */
  public static RedisLimitStore connect(RedisOptions options, LimiterListener listener) {
    return connect(options, listener, Instant::now);
  }

  /** The same with a clock of this node's own. */
  static RedisLimitStore connect(
      RedisOptions options, LimiterListener listener, Supplier<Instant> clock) {
    Objects.requireNonNull(options, "options");
    return new RedisLimitStore(options, Objects.requireNonNull(listener, "listener"), clock);
  }

  /**
   * How many nodes share a limit while Redis is away: the configured number, or the most nodes that
   * were alive at once in the ten minutes before, whichever is larger. A node that has left in
   * order no longer counts; a lost one does.
   *
   * @throws IllegalArgumentException when the configured number is not positive
   */
  public NodeShare share(int configuredNodes) {
    if (configuredNodes <= 0) {
      throw RedisOptions.failure("nodes", configuredNodes, "> 0");
    }
    return new NodeShare() {
      @Override
      public int nodes() {
        return Math.max(configuredNodes, heartbeat.count().highest());
      }

      @Override
      public Optional<Duration> nextProbe() {
        return Optional.of(topology.nextProbe());
      }
    };
  }

  /**
   * Waits until Redis has answered for the first time or is known to be out, for whoever would
   * rather begin a moment later than decide its first requests without Redis.
   *
   * @return whether it has; false when the time is over or the thread was interrupted
   */
  public boolean awaitAnswer(Duration atMost) {
    return heartbeat.awaitFirst(Deadline.after(atMost));
  }

  /** How the primaries stand, and how many nodes live. */
  public RedisStatus status() {
    return new RedisStatus(
        topology.clients().stream().map(RedisStatus.Primary::of).toList(),
        traffic.batches(),
        traffic.calls(),
        heartbeat.count().latest());
  }

  @Override
  public boolean isHealthy() {
    return !closed.get() && topology.isHealthy();
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    AcquireRequest begun = request.begun();
    check(begun.deadline());
    return decider.decide(begun);
  }

  /**
   * @throws IllegalArgumentException when the receipt is not of this store
   */
  @Override
  public boolean adjust(Adjustment adjustment, Deadline deadline) throws StoreUnavailableException {
    Deadline due = deadline.begun();
    if (adjustment instanceof Adjustment.OfReceipt ofReceipt) {
      return adjustGranted(ofReceipt, due);
    }
    if (adjustment instanceof Adjustment.OfCounter ofCounter) {
      check(due);
      adjuster.adjust(ofCounter, due);
    }
    return true;
  }

  private boolean adjustGranted(Adjustment.OfReceipt adjustment, Deadline due)
      throws StoreUnavailableException {
    Receipt receipt = adjustment.receipt();
    if (receipt.grants().isEmpty()) {
      return true;
    }
    if (receipt.source() != Source.REDIS) {
      throw RedisOptions.failure("receipt", receipt.source(), "one of " + Source.REDIS);
    }
    check(due);
    if (adjustment instanceof Adjustment.Renew) {
      return adjuster.renew(receipt.grants(), due, deadline);
    }
    if (adjustment instanceof Adjustment.Reconcile reconcile) {
      adjuster.reconcile(receipt.grants(), reconcile.spent(), due);
    } else {
      adjuster.refund(receipt.grants(), due);
    }
    return true;
  }

  private void check(Deadline due) throws StoreUnavailableException {
    if (closed.get()) {
      throw new StoreUnavailableException("redis: the store is closed", RETRY_AFTER_CLOSE, null);
    }
    if (due.hasPassed()) {
      throw new StoreUnavailableException(
          "redis: the deadline had passed before it was asked",
          StoreUnavailableException.Kind.OUT_OF_TIME,
          topology.nextProbe(),
          null);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>The node leaves the list of live nodes, unless another open store of this process is the
   * same node and has the same URI, whatever the credentials. Where Redis cannot be reached in
   * time, it is dropped there 15 seconds after its last beat. Refunds, releases and commits that
   * wait in the background are lost, and their number is logged.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    refunds.close();
    heartbeat.close();
    topology.close();
    timer.close();
    try {
      refunds.join(CLOSING_MILLIS);
      heartbeat.join(CLOSING_MILLIS);
      topology.join(CLOSING_MILLIS);
      timer.join(CLOSING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

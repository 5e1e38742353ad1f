package dev.weir.redis;

import dev.weir.internal.Closing;
import dev.weir.internal.Expect;
import dev.weir.internal.Libraries;
import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.PrimarySettings;
import dev.weir.redis.internal.client.RedisConnection;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.client.Sharding;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Counters that all nodes share, in one Redis, behind Sentinel or in a Cluster. Thread-safe. It has
 * threads and connections until it is closed.
 *
 * <pre>{@code
 * try (RedisLimitStore store = RedisLimitStore.connect("redis://localhost", "shop")) {
 *   store.awaitAnswer();
 *   TokenLimiter calls = TokenLimiter.of("calls", "5 per minute", store);
 *   System.out.println(calls.tryAcquire("user-42").source());
 * }
 * }</pre>
 *
 * <p>A decision is one script, atomic in Redis. All charges with keys in one slot are decided
 * together. All limits of one subject share a slot, and without a cluster all keys do. Charges
 * across slots are decided one slot after the other. When a later slot denies, the earlier grants
 * are refunded. A lost refund only under-admits. The state of the remaining slots is then peeked,
 * without a charge.
 *
 * <p>Every call returns by its deadline, or at most a sixteenth of the store's deadline later. It
 * is later still if this JVM was paused. Failures open the breaker of the primary that failed.
 * Decisions that need this primary then throw at once, until probes have written to it again. A
 * script can also fail for our own reasons. Such a failure is reported to {@link
 * LimiterListener#onError}. It throws too, since nothing was counted, but it does not count against
 * the health of a primary.
 *
 * <p>A decision is sent a second time only if the first time has charged nothing. The reasons are:
 *
 * <ul>
 *   <li>Redis does not know the script yet.
 *   <li>The slot moves, or a cluster redirects the call.
 *   <li>It was one of several in a script, and a right is missing for it.
 *   <li>The keys turn out to be in several slots.
 *   <li>The time of Redis is past the calendar's bounds that were sent.
 * </ul>
 */
public final class RedisLimitStore implements LimitStore {

  private static final long CLOSING_MILLIS = 400;
  private static final long POLL_MILLIS = 5;
  private static final Duration RETRY_AFTER_CLOSE = Duration.ofSeconds(1);

  private final Duration timeToConnect;
  private final Reports reports;
  private final SocketTimer timer;
  private final Topology topology;
  private final Router router;
  private final Adjuster adjuster;
  private final Membership membership;
  private final Refunds refunds;
  private final Decider decider;
  private final AtomicBoolean closed = new AtomicBoolean();

  private RedisLimitStore(RedisOptions options, LimiterListener listener, Supplier<Instant> clock) {
    reports = new Reports(listener, options.node());
    AddressCache.warning(options.uri()).ifPresent(reports::warning);
    Duration deadline = options.deadline();
    Duration connection = Connector.shortestPatience(options.uri().tls());
    timeToConnect =
        options.uri().kind() == RedisUri.Kind.STANDALONE
            ? connection
            : connection.multipliedBy(2); // the primaries must be found before
    RedisKeys keys = new RedisKeys(options.application(), options.secret());
    Commands commands =
        switch (options.clock()) {
          case REDIS -> Commands.byServerTime(clock);
          case NODE -> Commands.byNodeTime(clock);
        };
    Probes probes = new Probes(keys, commands);
    timer = new SocketTimer("weir-redis-timer", reports.listener());
    refunds = new Refunds(deadline, reports);
    Sharding sharding = options.sharding(keys, reports);
    PrimarySettings settings =
        new PrimarySettings(
            options.connector(timer, reports, sharding),
            timer,
            reports,
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
    router = new Router(keys, commands, topology, sharding);
    refunds.start(router);
    adjuster = new Adjuster(router, refunds, deadline);
    decider = new Decider(router);
    membership =
        options.isObserver()
            ? new Membership.Observer(topology, new NodeCount())
            : new Heartbeat(options, topology, keys, commands, clock, reports);
  }

  /** Opens a store with the default options, as {@link #connect(RedisOptions)} does. */
  public static RedisLimitStore connect(String uri, String application) {
    return connect(RedisOptions.of(uri, application));
  }

  /** Opens a store that notifies no listener. */
  public static RedisLimitStore connect(RedisOptions options) {
    return connect(options, LimiterListener.NONE);
  }

  /**
   * Opens a store. Returns at once, whether Redis is available or not. It connects in the
   * background, and keeps trying. The listener is notified of outages, probes and errors, and of no
   * decision.
   *
   * @throws IllegalStateException when a library that connecting needs is missing, or is there in
   *     another version
   */
  public static RedisLimitStore connect(RedisOptions options, LimiterListener listener) {
    return connect(options, listener, Instant::now);
  }

  /** Opens a store with the given clock of this node. */
  static RedisLimitStore connect(
      RedisOptions options, LimiterListener listener, Supplier<Instant> clock) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(listener, "listener");
    Libraries.link(() -> RedisConnection.link());
    return new RedisLimitStore(options, listener, clock);
  }

  /**
   * Returns the number of nodes that share a limit while Redis is unavailable. It is the configured
   * number, or the most nodes that were alive at once in the ten minutes before, whichever is
   * larger. A node that has left in order no longer counts. A lost node does. An observer knows
   * only the configured number. So does every store to which Redis has not replied yet.
   *
   * @throws IllegalArgumentException when the configured number is not positive
   */
  public IntSupplier nodes(int configuredNodes) {
    if (configuredNodes <= 0) {
      throw Expect.failure("nodes", configuredNodes, "> 0");
    }
    return () -> Math.max(configuredNodes, membership.count().highest());
  }

  /**
   * Waits as {@link #awaitAnswer(Duration)} does, for as long as the first connections may take.
   * That is 1 s, and 3 s over TLS. In a cluster and behind Sentinel it is twice as long, because
   * the primaries must be found before.
   *
   * @return whether Redis has replied; false when the time is over or the thread was interrupted
   */
  public boolean awaitAnswer() {
    return awaitAnswer(timeToConnect);
  }

  /**
   * Waits until Redis has replied for the first time and each primary is connected, or until one is
   * known to be unavailable. It lets an application start a moment later, instead of deciding its
   * first requests without Redis.
   *
   * @return whether Redis has replied; false when the time is over or the thread was interrupted
   */
  public boolean awaitAnswer(Duration atMost) {
    Deadline due = Deadline.after(atMost);
    try {
      while (!due.hasPassed()
          && (topology.isConnecting() || (!membership.hasReplied() && topology.isHealthy()))) {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return membership.hasReplied();
  }

  /** Returns the state of the primaries and of the nodes. */
  public RedisStatus status() {
    return new RedisStatus(
        topology.clients().stream().map(RedisStatus.Primary::of).toList(),
        reports.batches(),
        reports.calls(),
        membership.count().latest(),
        membership.count().lost(),
        membership.clockSkew());
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

  @Override
  public Optional<Lending> lending() {
    return Optional.of(new Lender());
  }

  /**
   * @throws IllegalArgumentException when the receipt is not of this store
   */
  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    Deadline due = deadline.begun();
    if (adjustment instanceof Adjustment.OfReceipt ofReceipt) {
      return adjustGranted(ofReceipt, due);
    }
    if (adjustment instanceof Adjustment.OfCounter ofCounter) {
      check(due);
      router.adjust(ofCounter, due);
    }
    return Set.of();
  }

  private Set<Receipt.Grant> adjustGranted(Adjustment.OfReceipt adjustment, Deadline due)
      throws StoreUnavailableException {
    Receipt receipt = adjustment.receipt();
    if (receipt.grants().isEmpty()) {
      return Set.of();
    }
    if (receipt.source() != Source.REDIS) {
      throw Expect.failure("receipt", receipt.source(), "one of " + Source.REDIS);
    }
    if (adjustment instanceof Adjustment.Renew) {
      check(due);
      return adjuster.renew(receipt.grants(), due);
    }
    requireOpen(); // without time it is sent in the background
    if (adjustment instanceof Adjustment.Reconcile reconcile) {
      adjuster.reconcile(receipt.grants(), reconcile.spent(), due);
    } else {
      adjuster.refund(receipt.grants(), due);
    }
    return Set.of();
  }

  private final class Lender implements Lending {

    @Override
    public Lease lend(AcquireRequest.Charge most, Settlement settled, Deadline deadline)
        throws StoreUnavailableException {
      Deadline due = deadline.begun();
      check(due);
      Group group = router.groups(List.of(most)).get(0);
      List<Long> reply = router.call(group, (to, parts) -> to.lease(parts, settled), due);
      return DecisionReply.lease(most.counter(), reply);
    }

    @Override
    public void end(Ending ending, Deadline deadline) throws StoreUnavailableException {
      Deadline due = deadline.begun();
      check(due);
      router.endLease(ending, due);
    }
  }

  private void check(Deadline due) throws StoreUnavailableException {
    requireOpen();
    if (due.hasPassed()) {
      throw new StoreUnavailableException(
          "redis: the deadline had passed before it was asked",
          StoreUnavailableException.Kind.OUT_OF_TIME,
          topology.nextProbe(),
          null);
    }
  }

  private void requireOpen() throws StoreUnavailableException {
    if (closed.get()) {
      throw new StoreUnavailableException("redis: the store is closed", RETRY_AFTER_CLOSE, null);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Calls that wait for a reply fail. Closing usually takes a few milliseconds. It takes at most
   * 400 ms to leave the list of nodes, and as long for each thread that does not end. The worst
   * case is a few seconds.
   *
   * <p>The node leaves the list of live nodes, unless another open store of this process is the
   * same node. That store must have the same URI; credentials do not matter. If Redis cannot be
   * reached in time, the list drops the node 15 seconds after its last beat. Refunds, releases and
   * commits that wait in the background are lost, and their number is logged.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    Closing.all(
        List.<AutoCloseable>of(
            refunds::close,
            membership::close,
            topology::close,
            timer,
            () -> refunds.join(CLOSING_MILLIS),
            () -> membership.join(CLOSING_MILLIS),
            () -> topology.join(CLOSING_MILLIS),
            () -> timer.join(CLOSING_MILLIS),
            reports::close));
  }
}

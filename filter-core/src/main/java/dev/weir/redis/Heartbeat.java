package dev.weir.redis;

import dev.weir.redis.internal.client.Background;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.client.ServerAdvice;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The membership of this node in the list of nodes of the application, which is in Redis. It adds
 * the node, counts the nodes, and removes this one when the last store of this node closes.
 *
 * <p>A store that closes waits for its beat in flight, and beats no more. So the leave call follows
 * all beats of the closed stores. It has the time of the last beat that Redis has confirmed, and
 * does not remove a node with a newer beat. So a leave that Redis runs late does not remove a node
 * that is open again. After a beat that timed out, a node that has left may stay in the list until
 * the beat expires. This is the safe side: the other nodes assume one node too many.
 */
final class Heartbeat implements Membership {

  /**
   * The open stores of this process that are the same node of an application in the same Redis. The
   * node leaves the list when the last of them closes.
   *
   * <p>Two URIs that spell one Redis differently count separately. When the last store of one
   * spelling closes, the node may leave the list while the other is open. The next beat of the
   * other adds it again, within six seconds. Until then the other nodes assume one node too few.
   *
   * @param lastBeat the time of the latest beat of the stores, in microseconds; 0 before the first
   */
  private record OpenNode(AtomicInteger stores, AtomicLong lastBeat) {}

  /** By Redis without credentials, application and node. */
  private static final Map<List<String>, OpenNode> OPEN = new ConcurrentHashMap<>();

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration INTERVAL_WITHOUT_REPLY = Duration.ofMillis(500);
  private static final Duration LIFETIME = INTERVAL.multipliedBy(3);
  private static final Duration LONGEST_LEAVE = Duration.ofMillis(400);
  private static final Duration INTERVAL_CONNECTING = Duration.ofMillis(5);

  private final NodeCount count = new NodeCount();
  private final String node;
  private final Topology topology;
  private final Commands commands;
  private final Supplier<Instant> clock;
  private final String key;
  private final Duration deadline;
  private final LimiterListener listener;
  private final ServerAdvice advice;
  private final Background background;
  private final List<String> identity;
  private final OpenNode open;

  /** Whether Redis has replied to a beat, if only that it refuses it. */
  private volatile boolean hasReplied;

  /** The time of this store's last beat, as returned by Redis. */
  private long lastBeat;

  /** How far the clock of Redis is ahead of {@link #clock}; null before the first beat. */
  private volatile @Nullable Duration clockSkew;

  Heartbeat(
      RedisOptions options,
      Topology topology,
      RedisKeys keys,
      Commands commands,
      Supplier<Instant> clock,
      Reports reports) {
    this.node = options.node().orElseGet(() -> UUID.randomUUID().toString());
    this.topology = topology;
    this.commands = commands;
    this.clock = clock;
    this.key = keys.reserved("nodes");
    this.deadline = options.deadline();
    this.listener = reports.listener();
    this.advice = new ServerAdvice(reports);
    this.identity = List.of(options.uri().toString(), options.application(), node);
    this.open =
        OPEN.compute(
            identity,
            (same, known) -> {
              OpenNode joined =
                  known == null ? new OpenNode(new AtomicInteger(), new AtomicLong()) : known;
              joined.stores().incrementAndGet();
              return joined;
            });
    this.background = new Background("weir-redis-heartbeat", 1, reports.listener());
    new PeriodicTask(background, this::beat).start();
  }

  @Override
  public NodeCount count() {
    return count;
  }

  @Override
  public boolean hasReplied() {
    return hasReplied;
  }

  @Override
  public Optional<Duration> clockSkew() {
    return Optional.ofNullable(clockSkew);
  }

  /**
   * Stops the beats. Leaves the list unless another store of this process is the same node. Returns
   * within the deadline for heartbeats, 400 ms at most, and throws nothing.
   */
  @Override
  public void close() {
    boolean wasInterrupted = Thread.interrupted(); // an undeploy must still make this short call
    Deadline due = Deadline.after(deadline.compareTo(LONGEST_LEAVE) < 0 ? deadline : LONGEST_LEAVE);
    background.close();
    try {
      background.join(TimeUnit.NANOSECONDS.toMillis(due.remainingNanos()));
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    @Nullable OpenNode others =
        OPEN.computeIfPresent(
            identity, (same, known) -> known.stores().decrementAndGet() == 0 ? null : known);
    long beat = open.lastBeat().get();
    if (others == null && beat > 0 && !due.hasPassed()) { // else Redis does not reply to a beat
      leave(beat, due);
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void leave(long beat, Deadline due) {
    ScriptCall call =
        ScriptCall.of(
            Operation.LEAVE, List.of(key), OptionalLong.of(beat), List.of(), List.of(node));
    try {
      topology.call(topology.slot(key), call, due);
    } catch (StoreUnavailableException unreachable) {
      // the list drops this node when its last beat expires
    } catch (RuntimeException | LinkageError bug) {
      listener.onError("redis: leaving the list of nodes failed", bug);
    }
  }

  @Override
  public void join(long millis) throws InterruptedException {
    background.join(millis);
  }

  private Duration beat() {
    if (topology.isConnecting()) {
      return INTERVAL_CONNECTING;
    }
    String lifetime = Long.toString(TimeUnit.MICROSECONDS.convert(LIFETIME));
    ScriptCall call =
        ScriptCall.of(
            Operation.HEARTBEAT,
            List.of(key, key + ":lost"),
            commands.time(),
            List.of(),
            List.of(node, lifetime, Long.toString(lastBeat)));
    Instant sent = clock.get();
    try {
      List<Long> nodes = topology.call(topology.slot(key), call, Deadline.after(deadline));
      lastBeat = nodes.get(2);
      if (commands.time().isEmpty()) { // else the time of the beat is this node's own
        compareClocks(sent, lastBeat, clock.get());
      }
      open.lastBeat().accumulateAndGet(lastBeat, Math::max);
      count.update(Math.toIntExact(nodes.get(0)), nodes.get(1), System.nanoTime());
      hasReplied = true;
      return INTERVAL;
    } catch (StoreUnavailableException reported) {
      // the client reports its failures; the count stays as it was
      if (reported.kind() == StoreUnavailableException.Kind.FAILED) {
        hasReplied = true;
      }
      return INTERVAL_WITHOUT_REPLY;
    }
  }

  /**
   * Computes how far the time of a reply is ahead of the middle between the call and the reply. The
   * script ran at some moment between these, so the error is at most half the round trip.
   */
  private void compareClocks(Instant sent, long replyMicros, Instant received) {
    Duration error = Duration.between(sent, received).dividedBy(2);
    Instant replied = Instant.EPOCH.plus(replyMicros, ChronoUnit.MICROS);
    Duration skew = Duration.between(sent.plus(error), replied);
    clockSkew = skew;
    advice.ofClock(skew, error);
  }
}

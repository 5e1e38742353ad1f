package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The way to one primary: its connections, its breaker, and the probes that close the breaker. When
 * a primary is out, only its own lane refuses; the others' slots do not suffer.
 *
 * <p>A call is made once. After a time-out nobody knows whether Redis has charged, so nothing is
 * sent again; the caller gives redirections their second address.
 */
final class Lane {

  private static final Duration PROBE_INTERVAL = Duration.ofMillis(500);

  private final Host address;
  private final Connector connector;
  private final Background background;
  private final Reports reports;
  private final Duration deadline;
  private final Supplier<@Nullable ScriptCall> probe;
  private final Pool pool;
  private final AtomicBoolean checking = new AtomicBoolean();
  private final Object change = new Object();
  private volatile Breaker breaker = Breaker.closed(System.nanoTime());
  private volatile String trouble = "";
  private volatile long repliedNanos = System.nanoTime();
  private volatile boolean closed;

  /**
   * @param deadline how long a probe may take
   * @param probe a call that writes on this primary; null while there is none
   */
  Lane(
      Host address,
      Connector connector,
      Reports reports,
      Duration deadline,
      Function<Lane, @Nullable ScriptCall> probe) {
    this.address = address;
    this.connector = connector;
    this.reports = reports;
    this.deadline = deadline;
    this.probe = () -> probe.apply(this);
    this.background = new Background("weir-redis-" + address, 1 + Pool.SIZE, reports.listener());
    this.pool = new Pool(() -> connector.open(address), background);
    background.execute(this::warmUp);
  }

  /**
   * Calls the script.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline, or the breaker is
   *     open
   * @throws JedisRedirectionException when another primary has the slot
   */
  Object call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    return call(call, due, call::on);
  }

  /** The same, for a slot that is on its way to this primary. */
  Object callAsking(ScriptCall call, Deadline due) throws StoreUnavailableException {
    return call(call, due, call::asking);
  }

  private Object call(
      ScriptCall call, Deadline due, BiFunction<RedisConnection, Deadline, Object> way)
      throws StoreUnavailableException {
    refuseWhileOut();
    RedisConnection connection = taken(due);
    long begunNanos = System.nanoTime();
    try {
      refuseWhileOut();
      Object reply = way.apply(connection, due);
      succeeded();
      return reply;
    } catch (JedisRedirectionException elsewhere) {
      succeeded();
      throw elsewhere;
    } catch (JedisException e) {
      failed(e, call.script(), due, begunNanos, connection);
      throw unavailable(Reports.reason(e), e);
    } finally {
      pool.giveBack(connection);
    }
  }

  /** Asked before and after the wait for a connection: who waits need not find out for himself. */
  private void refuseWhileOut() throws StoreUnavailableException {
    if (!isHealthy()) {
      throw unavailable("is out: " + trouble, null);
    }
  }

  /** To wait for a connection in vain speaks against Redis only if nobody had an answer. */
  private RedisConnection taken(Deadline due) throws StoreUnavailableException {
    long begunNanos = System.nanoTime();
    try {
      return pool.take(due);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted while waiting for a connection", e);
    } catch (JedisException e) {
      if (!hasRepliedSince(begunNanos)) {
        failed(e, due, begunNanos);
      }
      throw unavailable(Reports.reason(e), e);
    }
  }

  private void succeeded() {
    long now = System.nanoTime();
    repliedNanos = now;
    update(state -> state.afterSuccess(now));
  }

  private boolean hasRepliedSince(long nanos) {
    return repliedNanos - nanos > 0;
  }

  private void failed(
      JedisException e, Script script, Deadline due, long begunNanos, RedisConnection connection) {
    switch (ErrorKind.of(e)) {
      case PASSING -> repliedNanos = System.nanoTime();
      case BUG -> {
        repliedNanos = System.nanoTime();
        reports.bug(script.name(), e);
      }
      case OUTAGE, SETUP -> {
        connection.close();
        failed(e, due, begunNanos);
      }
    }
  }

  private void failed(JedisException e, Deadline due, long begunNanos) {
    if (isCallersHaste(due, begunNanos)) {
      doubt();
      return;
    }
    if (!hasRepliedSince(begunNanos)) {
      pool.clear();
    }
    long now = System.nanoTime();
    fail(e, state -> state.afterFailure(now, delayNanos()));
  }

  private void fail(JedisException e, UnaryOperator<Breaker> step) {
    if (closed) {
      return;
    }
    trouble = Reports.reason(e);
    if (update(step) && ErrorKind.of(e) == ErrorKind.SETUP) {
      reports.wrongSetup(address.toString(), e);
    }
  }

  /** Refuses from now on until probes have written: this one error proves that it must. */
  void refuse(JedisException why) {
    long firstProbeNanos = System.nanoTime() + delayNanos();
    fail(why, state -> state.afterProof(firstProbeNanos));
  }

  /** A caller who gave Redis hardly any time says nothing about Redis. */
  private boolean isCallersHaste(Deadline due, long begunNanos) {
    return due.hasPassed() && due.nanoTime() - begunNanos < deadline.toNanos() / 2;
  }

  /** If nobody else has had an answer either, somebody asks who has the time to wait for one. */
  private void doubt() {
    boolean silent = System.nanoTime() - repliedNanos >= deadline.toNanos();
    if (silent && checking.compareAndSet(false, true)) {
      background.later(Duration.ZERO, this::check);
    }
  }

  private void check() {
    try {
      @Nullable ScriptCall call = probe.get();
      if (call != null) {
        call(call, Deadline.after(deadline));
      }
    } catch (StoreUnavailableException | JedisRedirectionException answered) {
      // the call itself has counted what it means
    } finally {
      checking.set(false);
    }
  }

  /** Returns whether the breaker has opened or closed. Each opening, and each probe, has a next. */
  private boolean update(UnaryOperator<Breaker> step) {
    Breaker before;
    Breaker after;
    synchronized (change) {
      before = breaker;
      after = step.apply(before);
      breaker = after;
    }
    if (after instanceof Breaker.Open open && !before.equals(after)) {
      background.later(Duration.ofNanos(open.nextProbeNanos() - System.nanoTime()), this::probe);
    }
    return hasTurned(before, after);
  }

  private boolean hasTurned(Breaker before, Breaker after) {
    if (before instanceof Breaker.Closed && after instanceof Breaker.Open) {
      pool.dismiss("lost while others waited: " + trouble);
      reports.lost(address.toString(), trouble);
      return true;
    }
    if (before instanceof Breaker.Open && after instanceof Breaker.Closed) {
      reports.found(address.toString());
      pool.fill();
      return true;
    }
    return false;
  }

  /** Whatever it comes to, an Error too, there is a next one while the breaker is open. */
  private void probe() {
    boolean wrote = false;
    try {
      wrote = wrote();
    } catch (RuntimeException e) {
      trouble = Reports.reason(e);
    } finally {
      probed(wrote);
    }
  }

  private void probed(boolean wrote) {
    reports.probed(address.toString(), wrote, wrote ? "wrote" : trouble);
    long now = System.nanoTime();
    update(state -> state.afterProbe(wrote, now, delayNanos()));
  }

  /** What requests would do, on a connection of its own: a PING is answered while writes fail. */
  private boolean wrote() {
    RedisConnection connection = connector.open(address);
    try {
      @Nullable ScriptCall call = probe.get();
      if (call != null) {
        call.on(connection, Deadline.after(deadline));
      }
      pool.adopt(connection);
      return call != null;
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  /** Connections are opened before anybody waits for them; without a first one, Redis is out. */
  private void warmUp() {
    try {
      pool.adopt(connector.open(address));
      pool.fill();
    } catch (JedisException e) {
      refuse(e);
    }
  }

  private static long delayNanos() {
    return Background.jittered(PROBE_INTERVAL).toNanos();
  }

  Host address() {
    return address;
  }

  boolean isHealthy() {
    return breaker instanceof Breaker.Closed;
  }

  RedisStatus.Primary status() {
    return new RedisStatus.Primary(address.toString(), breaker.status());
  }

  /**
   * How long until the next probe; while the breaker is closed, how long one would take to come.
   */
  Duration nextProbe() {
    if (breaker instanceof Breaker.Open open) {
      long nanos = open.nextProbeNanos() - System.nanoTime();
      return Duration.ofNanos(Math.max(nanos, 1_000_000L));
    }
    return PROBE_INTERVAL;
  }

  private StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return new StoreUnavailableException("redis " + address + ": " + why, nextProbe(), cause);
  }

  /** The primary keeps no slot any more: an outage of it is nobody's. */
  void retire() {
    if (!isHealthy()) {
      reports.left(address.toString());
    }
    close();
  }

  /** Answers everybody; {@link #join} waits for the thread. */
  void close() {
    closed = true;
    background.close();
    pool.close();
  }

  void join(long millis) throws InterruptedException {
    background.join(millis);
  }
}

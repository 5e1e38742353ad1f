package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connection of one {@link PipelinedClient}. It is opened in the background, and replaced when
 * it is lost. A {@link StallWatch} watches it.
 *
 * <p><b>Lost.</b> All calls in flight fail, and queued calls wait for the next connection. No
 * thread of a call ever connects.
 *
 * <p><b>Unresponsive.</b> After half a deadline without a reply, a second connection is opened, or
 * one that was opened before is checked again. Far from Redis, that happens a quarter of the
 * deadline after the usual round trip. When the deadline is over, the first connection is closed,
 * which ends all calls in flight. If the second one has replied, only the first was broken, and the
 * second replaces it. Far from Redis it may reply for some time after that. If it does not, {@code
 * onUnusable} is notified, even if just these two are broken. For the connection that all calls
 * share, that opens the breaker. A dedicated connection is only dialled again, after a pause.
 *
 * <p>No thread is interrupted for that. The steps, each on the thread at its left:
 *
 * <pre>
 *   timer       StallWatch.check      closes the socket, which ends the read or write
 *   that one    lost                  fails calls in flight, notifies onUnusable
 *               CircuitBreaker.open   opens the breaker: new calls fail from here on
 *   background  failWaiting           fails waiting calls
 *               CircuitBreaker.probe  again and again, until Redis has written
 *               use                   makes the probe's connection the one for calls
 * </pre>
 *
 * <p>Thread-safe.
 */
final class PrimaryConnection {

  private final Host address;
  private final Duration deadline;
  private final PrimarySettings settings;
  private final Connector connector;
  private final Background background;
  private final CircuitBreaker circuitBreaker;
  private final Consumer<JedisException> onUnusable;
  private final CallQueue queue;
  private final SignalledThread writer;
  private final CrossSlotSupport across;
  private final SpareConnection spare = new SpareConnection();
  private volatile @Nullable Pipeline pipeline;

  /** The number of connections so far. */
  private final AtomicInteger connections = new AtomicInteger();

  private volatile boolean closed;

  /** Whether a connection is being opened. Guarded by this. */
  private boolean isDialling;

  /**
   * @param onUnusable notified when the connection cannot be opened, or not in time, or does not
   *     respond
   */
  PrimaryConnection(
      Primary primary,
      Consumer<JedisException> onUnusable,
      CallQueue queue,
      SignalledThread writer,
      CrossSlotSupport across) {
    this.onUnusable = onUnusable;
    this.queue = queue;
    this.writer = writer;
    this.across = across;
    address = primary.address();
    circuitBreaker = primary.circuitBreaker();
    background = primary.background();
    settings = primary.settings();
    deadline = settings.deadline();
    connector = settings.connector();
  }

  /** Opens the first connection, before a call waits for it. */
  void open() {
    notifyUnlessConnected(
        connector.patienceTime(), new TimedOutException("not connected in time"), 0);
    background.execute(
        () -> {
          try {
            useIfNone(connector.openFirst(address, connector.patienceTime(), connected -> {}));
          } catch (JedisException e) {
            onUnusable.accept(e);
          }
        });
  }

  /** Returns the batches in flight; null while not connected. */
  @Nullable Pipeline pipeline() {
    return pipeline;
  }

  SpareConnection spare() {
    return spare;
  }

  /** Returns whether a call would find the connection empty, and not idle for too long. */
  boolean isReady() {
    @Nullable Pipeline open = pipeline;
    return open != null
        && !open.hasInFlight()
        && queue.isEmpty()
        && !open.isIdleTooLong(System.nanoTime());
  }

  /** Starts to open a connection in place of an idle one, and returns whether it does so. */
  boolean reopen() {
    closeIdle();
    return pipeline == null && dial(this::useIfNone);
  }

  /** Closes the connection while no call uses it. */
  void closeIdle() {
    @Nullable Pipeline idle = pipeline;
    if (idle == null || idle.hasInFlight()) {
      return;
    }
    synchronized (this) {
      if (pipeline == idle) {
        pipeline = null;
      }
    }
    spare.close(); // it is idle too
    idle.fail();
    failInFlight(idle, new OutcomeUnknownException("the connection was idle"));
  }

  // ---------------------------------------------------------------- connecting

  /** Acts as {@link CircuitBreaker.Actions#probe}: PING has a reply even while writes fail. */
  void probe(ScriptCall write) {
    RedisConnection wrote =
        connector.openFirst(address, deadline, connection -> connection.call(write, deadline));
    use(wrote, new InFlightWindow(deadline, System.nanoTime()), pipeline);
  }

  /** Acts as {@link CircuitBreaker.Actions#write}, on a connection for this call alone. */
  void write(ScriptCall write) {
    List<Long> unused = connector.with(address, connection -> connection.call(write, deadline));
  }

  private void useIfNone(RedisConnection connection) {
    use(connection, new InFlightWindow(deadline, System.nanoTime()), null);
  }

  /**
   * Makes this the connection for calls, in place of the previous one if there was any. If another
   * one has taken that place meanwhile, this one is closed.
   */
  private void use(RedisConnection connection, InFlightWindow window, @Nullable Pipeline before) {
    if (!connection.isUsable()) {
      connection.close();
      if (pipeline == before) {
        onUnusable.accept(new JedisConnectionException("lost as soon as it was connected"));
      }
      return;
    }
    synchronized (this) {
      if (closed || pipeline != before) {
        connection.close();
        return;
      }
      pipeline = new Pipeline(connection, deadline, window);
      connections.incrementAndGet();
    }
    if (before != null && before.fail()) {
      failInFlight(before, new OutcomeUnknownException("the connection was replaced"));
    }
    if (!queue.isEmpty()) {
      writer.signal();
    }
  }

  /**
   * Opens a connection in the background, or checks the spare one again, unless that is under way.
   * Returns whether it does.
   */
  private boolean dial(Consumer<RedisConnection> then) {
    synchronized (this) {
      if (isDialling || closed) {
        return false;
      }
      isDialling = true;
    }
    background.later(
        Duration.ZERO,
        () -> {
          try {
            then.accept(dialled());
          } catch (JedisException e) {
            if (pipeline == null) {
              onUnusable.accept(e);
            }
          }
        });
    return true;
  }

  /**
   * Returns a connection that has just replied. If it is lost on its first use, another one may be
   * dialled.
   */
  private RedisConnection dialled() {
    try {
      @Nullable RedisConnection kept = checkedSpare();
      return kept != null ? kept : connector.openFurther(address);
    } finally {
      synchronized (this) {
        isDialling = false;
      }
    }
  }

  /** Returns the spare connection if it replies in half a deadline and the usual round trip. */
  private @Nullable RedisConnection checkedSpare() {
    @Nullable RedisConnection kept = spare.take();
    if (kept == null) {
      return null;
    }
    @Nullable Pipeline slow = pipeline;
    long roundTripNanos = slow == null ? 0 : slow.window().baseNanos();
    try {
      Deadline due = Deadline.after(deadline.dividedBy(2).plusNanos(roundTripNanos));
      return kept.after(server -> Connector.ping(server, due));
    } catch (JedisException lost) {
      return null;
    }
  }

  /**
   * Opens a second connection because a wait is suspect, or checks the spare one. Calls use it if
   * the first one is lost meanwhile, else it is kept as the spare one.
   */
  void prepareSpare() {
    spare.doubt();
    dial(
        connection -> {
          synchronized (this) {
            boolean isSpare = pipeline != null && !closed && connection.isUsable();
            if (isSpare && spare.keep(connection, System.nanoTime())) {
              return;
            }
          }
          useIfNone(connection);
        });
  }

  // ---------------------------------------------------------------- losing

  /** Fails all calls in flight on a lost connection, and replaces it. */
  void lost(Pipeline failed, JedisException how) {
    if (!failed.fail()) {
      return;
    }
    across.forget();
    JedisException why =
        failed.isUnresponsive()
            ? new TimedOutException("no reply for " + deadline.toMillis() + " ms")
            : how;
    int connectionsThen;
    synchronized (this) {
      connectionsThen = connections.get();
      if (pipeline == failed) {
        pipeline = null;
      }
    }
    try {
      failInFlight(failed, new OutcomeUnknownException(Reports.reason(why), why));
    } finally {
      replace(failed, why, connectionsThen);
    }
  }

  private void replace(Pipeline failed, JedisException why, int connectionsThen) {
    if (closed) {
      spare.close();
      return;
    }
    if (ErrorKind.of(why).countsAgainstPrimary()) {
      circuitBreaker.failed(why);
    }
    if (pipeline != null) {
      return; // one that was being opened is in use already
    }
    if (!failed.isUnresponsive()) {
      notifyUnlessConnected(deadline, why, connectionsThen);
      dial(connection -> use(connection, failed.window().next(System.nanoTime()), null));
      return;
    }
    @Nullable RedisConnection next = spare.takeReady();
    if (next != null) {
      use(next, failed.window().next(System.nanoTime()), null);
    } else if (failed.graceNanos() > 0) { // the second one is used if it replies
      notifyUnlessConnected(Duration.ofNanos(failed.graceNanos()), why, connectionsThen);
    } else {
      onUnusable.accept(why);
    }
  }

  /**
   * Notifies {@code onUnusable} unless there is a further connection by then, which may be lost
   * again. It is called first, and then the connection is opened: one that is open at once counts.
   */
  private void notifyUnlessConnected(Duration by, JedisException why, int connectionsThen) {
    background.later(
        by,
        () -> {
          if (connections.get() == connectionsThen && !closed) {
            onUnusable.accept(why);
          }
        });
  }

  void failInFlight(Pipeline failed, OutcomeUnknownException why) {
    failAll(failed.drain(), why);
  }

  /** Fails calls that may have been sent. Once all threads are woken, it releases their permits. */
  void failAll(List<PendingCall> calls, OutcomeUnknownException why) {
    calls.forEach(call -> call.complete(new PendingCall.Outcome.Failed(why)));
    calls.forEach(
        call -> settings.reports().guarded(() -> settings.unsettled().addUnknown(call.call())));
  }

  /** Closes the sockets, which ends all reads and writes. */
  void closeNow() {
    @Nullable Pipeline open = pipeline;
    if (open != null) {
      open.close();
    }
    spare.close();
  }

  // ---------------------------------------------------------------- health

  /**
   * Fails the calls that wait, because the primary is unavailable. If the connection is silent too,
   * its calls in flight fail with it.
   */
  void failWaiting() {
    refuseAll(out());
    @Nullable Pipeline open = pipeline;
    if (open != null && open.isSilent(System.nanoTime())) {
      String why = "lost while it was waited for: " + circuitBreaker.trouble();
      lost(open, new TimedOutException(why)); // by itself it says nothing that is not known
    }
  }

  private void refuseAll(NotSentException why) {
    queue.drain().forEach(call -> call.refuse(why));
  }

  /**
   * Fails the queued calls if no call can be made, and returns whether that is so. A call that was
   * queued just now may have missed the failure of the others.
   */
  boolean refuseAllIfOut() {
    if (closed) {
      refuseAll(new NotSentException("closed", Kind.OUTAGE));
      return true;
    }
    if (!circuitBreaker.isHealthy()) {
      refuseAll(out());
      return true;
    }
    if (pipeline == null) {
      background.makeUp(); // the next connection may lack its thread
    }
    return false;
  }

  NotSentException out() {
    return new NotSentException("is out: " + circuitBreaker.trouble(), Kind.OUTAGE);
  }

  /** Closes the connection. Waiting calls fail at once. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    @Nullable Pipeline open = pipeline;
    if (open != null) {
      lost(open, new JedisConnectionException("closed"));
    }
    refuseAll(new NotSentException("closed", Kind.OUTAGE));
    spare.close();
  }
}

package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The connection to one primary: opened in the background, replaced when it is lost, and watched.
 *
 * <p><b>Lost.</b> All calls in flight fail, and queued ones wait for the next connection. No thread
 * of a call ever connects.
 *
 * <p><b>Unresponsive.</b> After half a deadline without a reply a second connection is opened. If
 * it is ready when the deadline is over, only the first connection was broken, and the second
 * replaces it. If not, and this is the connection that all calls share, the primary is out: its
 * {@link Circuit} opens, and queued calls are refused.
 *
 * <p>Thread-safe.
 */
final class PrimaryConnection implements SocketTimer.Watched {

  /** How often the kernel is asked for bytes while a reply is overdue, in parts of the deadline. */
  private static final int UNREAD_PART = 16;

  private final Host address;
  private final Duration deadline;
  private final long deadlineNanos;
  private final SocketTimer timer;
  private final LateReplies late;
  private final Connector connector;
  private final Background background;
  private final Circuit circuit;
  private final Consumer<JedisException> whenNotConnected;
  private final CallQueue queue;
  private final SignalledThread writer;
  private volatile @Nullable Pipeline pipeline;
  private volatile boolean closed;

  /** The wait that was found doubtful. Used by the timer thread. */
  private long doubtedNanos;

  /** Ready to replace a connection that does not respond. Guarded by this. */
  private @Nullable RedisConnection spare;

  /** Whether a connection is being opened. Guarded by this. */
  private boolean isDialling;

  /**
   * @param whenNotConnected told when it cannot be opened, or not in time, or does not respond
   * @param queue of calls that wait for a connection
   * @param writer is signalled when they can be sent
   */
  PrimaryConnection(
      Primary primary,
      Consumer<JedisException> whenNotConnected,
      CallQueue queue,
      SignalledThread writer) {
    this.whenNotConnected = whenNotConnected;
    this.queue = queue;
    this.writer = writer;
    address = primary.address();
    circuit = primary.circuit();
    background = primary.background();
    PrimarySettings settings = primary.settings();
    deadline = settings.deadline();
    deadlineNanos = deadline.toNanos();
    timer = settings.timer();
    late = settings.late();
    connector = settings.connector();
    timer.add(this);
  }

  /** Opens the first connection, before a call waits for it. */
  void open() {
    background.execute(this::connect);
    background.later(
        connector.patienceTime(),
        () -> refuseIfNotConnected(new JedisConnectionException("not connected in time")));
  }

  /** The batches in flight; null while not connected. */
  @Nullable Pipeline pipeline() {
    return pipeline;
  }

  /** Whether a call would find it open and empty, and not idle for so long that it may be lost. */
  boolean isReady() {
    @Nullable Pipeline open = pipeline;
    return open != null
        && !open.hasUnanswered()
        && queue.isEmpty()
        && !open.isIdleTooLong(System.nanoTime());
  }

  /**
   * Begins to open one in the background, in place of one that is idle.
   *
   * @return false when a call uses that one, or another is being opened
   */
  boolean reopen() {
    closeIdle();
    return pipeline == null && dial(this::use);
  }

  /** Closes it while no call uses it. */
  void closeIdle() {
    @Nullable Pipeline idle = pipeline;
    if (idle == null || idle.hasUnanswered()) {
      return;
    }
    synchronized (this) {
      if (pipeline == idle) {
        pipeline = null;
      }
    }
    idle.fail();
    failInFlight(idle, new OutcomeUnknownException("the connection was idle"));
  }

  /** Sees to it that a wait that begins now is watched. */
  void watch() {
    timer.arm(System.nanoTime() + deadlineNanos / 2);
  }

  // ---------------------------------------------------------------- connecting

  private void connect() {
    try {
      use(preloaded(connector.open(address), connector.patience()));
    } catch (JedisException e) {
      whenNotConnected.accept(e);
    }
  }

  /**
   * Does what a request would do, on a connection of its own: PING is answered while writes fail.
   */
  boolean hasWritten(@Nullable ScriptCall write) {
    if (write == null) {
      return false;
    }
    RedisConnection connection = connector.open(address);
    try {
      call(write, connection);
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
    use(preloaded(connection, Deadline.after(deadline)));
    return true;
  }

  /** By its digest, and in full if the server does not know that. */
  private void call(ScriptCall write, RedisConnection connection) {
    Object reply;
    try {
      reply = connection.call(write.byName(), Deadline.after(deadline));
    } catch (JedisNoScriptException unknown) {
      reply = connection.call(write.inFull(), Deadline.after(deadline));
    }
    List<Long> unused = write.read(reply);
  }

  private static RedisConnection preloaded(RedisConnection connection, Deadline due) {
    try {
      Preload.on(connection, due);
      return connection;
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  private void use(RedisConnection connection) {
    use(connection, new Window(deadline, System.nanoTime()));
  }

  /** Makes this the connection, in place of the one before. */
  private void use(RedisConnection connection, Window window) {
    @Nullable Pipeline before;
    if (!connection.isUsable()) {
      connection.close();
      whenNotConnected.accept(new JedisConnectionException("lost as soon as it was connected"));
      return;
    }
    synchronized (this) {
      if (closed) {
        connection.close();
        return;
      }
      before = pipeline;
      pipeline = new Pipeline(connection, deadline, window);
    }
    if (before != null && before.fail()) {
      failInFlight(before, new OutcomeUnknownException("the connection was replaced"));
    }
    if (!queue.isEmpty()) {
      writer.signal();
    }
  }

  /** Opens a connection in the background, unless one is being opened; returns whether it does. */
  private boolean dial(Consumer<RedisConnection> then) {
    synchronized (this) {
      if (isDialling || spare != null || closed) {
        return false;
      }
      isDialling = true;
    }
    background.later(
        Duration.ZERO,
        () -> {
          try {
            then.accept(connector.openAndPing(address));
          } catch (JedisException e) {
            if (pipeline == null) {
              whenNotConnected.accept(e);
            }
          } finally {
            synchronized (this) {
              isDialling = false;
            }
          }
        });
    return true;
  }

  private void keepSpare(RedisConnection connection) {
    synchronized (this) {
      if (pipeline != null && spare == null && !closed) {
        spare = connection;
        return;
      }
    }
    if (pipeline == null) {
      use(connection);
    } else {
      connection.close();
    }
  }

  private synchronized @Nullable RedisConnection takeSpare() {
    @Nullable RedisConnection taken = spare;
    spare = null;
    return taken;
  }

  private void closeSpare() {
    @Nullable RedisConnection unneeded = takeSpare();
    if (unneeded != null) {
      unneeded.close();
    }
  }

  // ---------------------------------------------------------------- losing

  /**
   * The connection has failed: all calls in flight fail, and those in the queue wait for another.
   */
  void lost(Pipeline failed, JedisException how) {
    if (!failed.fail()) {
      return;
    }
    JedisException why = failed.isUnresponsive() ? unresponsive() : how;
    synchronized (this) {
      if (pipeline == failed) {
        pipeline = null;
      }
    }
    failInFlight(failed, new OutcomeUnknownException(Reports.reason(why), why));
    if (closed) {
      closeSpare();
      return;
    }
    @Nullable RedisConnection next = takeSpare();
    circuit.failed(why);
    if (next != null) {
      Window window = failed.window().next(System.nanoTime());
      if (!background.later(Duration.ZERO, () -> use(next, window))) {
        next.close();
      }
    } else if (failed.isUnresponsive()) {
      whenNotConnected.accept(why);
    } else {
      dial(connection -> use(connection, failed.window().next(System.nanoTime())));
      background.later(deadline, () -> refuseIfNotConnected(why));
    }
  }

  private JedisException unresponsive() {
    return new JedisConnectionException("no reply for " + deadline.toMillis() + " ms");
  }

  private void refuseIfNotConnected(JedisException why) {
    if (pipeline == null && !closed) {
      whenNotConnected.accept(why);
    }
  }

  void failInFlight(Pipeline failed, OutcomeUnknownException why) {
    for (Batch batch : failed.drain()) {
      batch.parts().forEach(part -> failAll(part.calls(), why));
    }
  }

  /** Calls that may have been sent: what they may hold is released. */
  void failAll(List<PendingCall> calls, OutcomeUnknownException why) {
    for (PendingCall call : calls) {
      call.complete(new Outcome.Failed(why));
      late.addUnknown(call.call());
    }
  }

  @Override
  public OptionalLong closeIfOverdue(long nowNanos) {
    @Nullable Pipeline watched = pipeline;
    OptionalLong unresponsive =
        watched == null ? OptionalLong.empty() : watched.unresponsiveNanos();
    if (watched == null || unresponsive.isEmpty()) {
      closeSpare();
      return OptionalLong.empty();
    }
    long overdueNanos = unresponsive.getAsLong();
    long doubtNanos = overdueNanos - deadlineNanos / 2;
    if (nowNanos - doubtNanos < 0) {
      closeSpare();
      return OptionalLong.of(doubtNanos);
    }
    if (doubtedNanos != overdueNanos) { // a look may be late, as all of this process may be
      doubtedNanos = overdueNanos;
      dial(this::keepSpare);
      return OptionalLong.of(Math.max(overdueNanos, nowNanos + deadlineNanos / 4));
    }
    if (nowNanos - overdueNanos < 0) {
      return OptionalLong.of(overdueNanos);
    }
    if (watched.hasUnread() && nowNanos - overdueNanos < deadlineNanos) {
      return OptionalLong.of(nowNanos + deadlineNanos / UNREAD_PART);
    }
    watched.closeUnresponsive();
    return OptionalLong.empty();
  }

  @Override
  public void closeNow() {
    @Nullable Pipeline open = pipeline;
    if (open != null) {
      open.close();
    }
    closeSpare();
  }

  // ---------------------------------------------------------------- health

  /** The primary is out: no call waits for it any longer. */
  void dismiss() {
    refuseAll(out());
    @Nullable Pipeline open = pipeline;
    if (open != null && open.isSilent(System.nanoTime())) {
      lost(
          open, new JedisConnectionException("lost while it was waited for: " + circuit.trouble()));
    }
  }

  private void refuseAll(NotSentException why) {
    queue.drain().forEach(call -> call.refuse(why));
  }

  /**
   * Refuses what is queued while no call can be made: one that was queued just now may have missed
   * that all others were refused.
   *
   * @return whether no call can be made
   */
  boolean refuseAllIfOut() {
    if (closed) {
      refuseAll(closedStore());
      return true;
    }
    if (!circuit.isHealthy()) {
      refuseAll(out());
      return true;
    }
    return false;
  }

  NotSentException out() {
    return new NotSentException("is out: " + circuit.trouble(), Kind.OUTAGE);
  }

  private static NotSentException closedStore() {
    return new NotSentException("closed", Kind.OUTAGE);
  }

  /** Calls that wait fail at once. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    timer.remove(this);
    @Nullable Pipeline open = pipeline;
    if (open != null) {
      lost(open, new JedisConnectionException("closed"));
    }
    refuseAll(closedStore());
    closeSpare();
  }
}

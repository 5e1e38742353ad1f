package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A connection on which batches are sent before the replies to those before them are read, and the
 * batches in flight.
 *
 * <p>One thread at a time writes, and one reads: {@link #beginReading} decides which. All else is
 * thread-safe.
 */
final class Pipeline {

  private static final CommandArguments PING = new CommandArguments(Command.PING);

  /** Something between us and Redis may forget a connection that is silent for longer. */
  private static final long IDLE_NANOS = 10_000_000_000L;

  private final RedisConnection connection;
  private final long deadlineNanos;
  private final InFlightWindow window;
  private final Queue<Batch> inFlight = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isRead = new AtomicBoolean();
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  /** Scripts that the server knows, for all we know. */
  private final Set<Script> known = ConcurrentHashMap.newKeySet();

  private volatile long lastReplyNanos;

  private volatile boolean isChecked = true;
  private volatile boolean isUnresponsive;

  /**
   * @param deadline how long a reply may take
   */
  Pipeline(RedisConnection connection, Duration deadline, InFlightWindow window) {
    this.connection = connection;
    this.window = window;
    deadlineNanos = deadline.toNanos();
    lastReplyNanos = System.nanoTime();
    known.addAll(Preload.scripts()); // by whichever connection: the server keeps them
  }

  /** Whether a batch may be sent. */
  boolean hasRoom() {
    return isChecked && window.hasRoom();
  }

  InFlightWindow window() {
    return window;
  }

  /** Whether the server must be asked whether it is still there, before anything else. */
  boolean isIdleTooLong(long nowNanos) {
    return inFlight.isEmpty() && nowNanos - lastReplyNanos >= IDLE_NANOS;
  }

  /**
   * Begins to ask the server whether it is still there, by a batch without calls. Nothing else is
   * sent until it has answered.
   *
   * @return what to {@link #write}
   */
  List<CommandArguments> beginCheck() {
    isChecked = false;
    inFlight.add(new Batch(List.of(), window.sent(0, System.nanoTime())));
    return List.of(PING);
  }

  /**
   * Puts these calls in flight.
   *
   * @return what to {@link #write}
   */
  List<CommandArguments> begin(List<SubBatch> parts, List<PendingCall> calls) {
    int micros = 0;
    for (PendingCall call : calls) {
      micros += call.call().micros();
    }
    List<CommandArguments> commands = new ArrayList<>(parts.size());
    for (SubBatch part : parts) {
      part.addTo(commands, !known.add(part.call().script()));
    }
    inFlight.add(new Batch(parts, window.sent(micros, System.nanoTime())));
    return commands;
  }

  /**
   * Writes what is in flight already.
   *
   * @throws JedisException when the connection has failed
   */
  void write(List<CommandArguments> commands) {
    connection.write(commands);
  }

  /** A server has replied that it does not know this script: the next call brings it along. */
  void forget(Script script) {
    known.remove(script);
  }

  boolean hasUnanswered() {
    return !inFlight.isEmpty();
  }

  /** The batch to which the next replies belong. */
  @Nullable Batch oldest() {
    return inFlight.peek();
  }

  boolean isBeingRead() {
    return isRead.get();
  }

  /** Returns whether this thread is the one that reads now. */
  boolean beginReading() {
    return isRead.compareAndSet(false, true);
  }

  void endReading() {
    isRead.set(false);
  }

  /**
   * Waits for the replies to the oldest batch.
   *
   * @return one for each of its parts; the batch stays in flight until it is {@link #answered}
   * @throws JedisException when the connection has failed
   */
  List<@Nullable Object> read(Batch batch) {
    List<@Nullable Object> replies = new ArrayList<>(batch.parts().size());
    for (SubBatch part : batch.parts()) {
      if (part.isAsking()) {
        connection.read();
      }
      replies.add(connection.read());
    }
    if (batch.parts().isEmpty()) {
      connection.read();
      isChecked = true;
    }
    lastReplyNanos = System.nanoTime();
    return replies;
  }

  /**
   * The oldest batch is no longer in flight.
   *
   * @return false when the connection was lost meanwhile, and its calls have failed
   */
  @SuppressWarnings("ReferenceEquality") // no two batches are the same
  boolean answered(Batch oldest) {
    synchronized (inFlight) {
      if (inFlight.peek() != oldest) {
        return false;
      }
      inFlight.remove();
    }
    window.answered(oldest.ticket(), lastReplyNanos);
    return true;
  }

  /**
   * When the server is unresponsive: no reply was completed for a whole deadline since the oldest
   * batch in flight was written. So a reply that arrives byte by byte and a write that blocks count
   * as none. Empty when nothing is in flight.
   */
  OptionalLong unresponsiveNanos() {
    @Nullable Batch oldest = inFlight.peek();
    if (oldest == null) {
      return OptionalLong.empty();
    }
    long sinceNanos = oldest.sentNanos();
    long repliedNanos = lastReplyNanos;
    return OptionalLong.of(
        (repliedNanos - sinceNanos > 0 ? repliedNanos : sinceNanos) + deadlineNanos);
  }

  /**
   * Whether the kernel holds bytes that no thread has read: this process stood still, not Redis.
   */
  boolean hasUnread() {
    return connection.hasUnread();
  }

  /** Whether no reply was completed for half a deadline, though one is waited for. */
  boolean isSilent(long nowNanos) {
    OptionalLong unresponsive = unresponsiveNanos();
    return unresponsive.isPresent()
        && nowNanos - (unresponsive.getAsLong() - deadlineNanos / 2) >= 0;
  }

  /** Closes the connection. A thread that reads or writes finds out. */
  void close() {
    connection.close();
  }

  /** The same where the server does not respond. */
  void closeUnresponsive() {
    isUnresponsive = true;
    connection.close();
  }

  boolean isUnresponsive() {
    return isUnresponsive;
  }

  /** Closes it for good. Returns whether it was not before. */
  boolean fail() {
    connection.close();
    return !hasFailed.getAndSet(true);
  }

  boolean hasFailed() {
    return hasFailed.get();
  }

  /** Takes the batches that will have no replies; one that is added meanwhile may stay. */
  List<Batch> drain() {
    synchronized (inFlight) {
      List<Batch> all = new ArrayList<>();
      for (@Nullable Batch next = inFlight.poll(); next != null; next = inFlight.poll()) {
        all.add(next);
      }
      return all;
    }
  }
}

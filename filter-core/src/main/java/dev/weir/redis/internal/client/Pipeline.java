package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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

/**
 * The batches in flight on a {@link RedisConnection}. Further ones are sent before the replies to
 * earlier ones are read.
 *
 * <p>One thread at a time writes, and one reads: {@link #beginReading} decides which one. All else
 * is thread-safe.
 */
final class Pipeline {

  /**
   * The commands that are written at once.
   *
   * @param parts one for each command; none in a batch that only checks the connection
   * @param micros its cost for Redis
   */
  record Batch(List<SubBatch> parts, int micros, long sentNanos) {}

  private static final CommandArguments PING = new CommandArguments(Command.PING);

  /** The longest idle time without a check: a device in the network may forget the connection. */
  private static final long IDLE_NANOS = 10_000_000_000L;

  /** The fewest counters that show that the server refuses all decisions. */
  private static final int FEWEST_BROKEN = 3;

  private final RedisConnection connection;
  private final long deadlineNanos;
  private final InFlightWindow window;
  private final Queue<Batch> inFlight = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isRead = new AtomicBoolean();
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  /** Scripts that the server is believed to know. */
  private final Set<Script> known = ConcurrentHashMap.newKeySet();

  /** Counters whose decisions have failed, while none has succeeded. Used by the reading thread. */
  private final Set<String> brokenKeys = new HashSet<>();

  private boolean hasDecided;

  private volatile long lastReplyNanos;

  /** Whether a write is under way. The next field is its start, and is set before. */
  private volatile boolean isWriting;

  private volatile long writeNanos;

  private volatile boolean isChecked = true;
  private volatile boolean isUnresponsive;

  Pipeline(RedisConnection connection, Duration deadline, InFlightWindow window) {
    this.connection = connection;
    this.window = window;
    deadlineNanos = deadline.toNanos();
    lastReplyNanos = System.nanoTime();
    known.addAll(Connector.PRELOADED); // loaded by any connection: the server keeps them
  }

  /** Returns whether a batch may be sent. */
  boolean hasRoom() {
    return isChecked && window.hasRoom();
  }

  InFlightWindow window() {
    return window;
  }

  /** Returns whether the connection must be checked before anything else is sent. */
  boolean isIdleTooLong(long nowNanos) {
    return inFlight.isEmpty() && nowNanos - lastReplyNanos >= IDLE_NANOS;
  }

  /**
   * Starts a check of the connection, by a batch without calls. Nothing else is sent until the
   * server has replied. Returns the commands to {@link #write}.
   */
  List<CommandArguments> beginCheck() {
    isChecked = false;
    add(List.of(), 0);
    return List.of(PING);
  }

  /** Puts these calls in flight, and returns the commands to {@link #write}. */
  List<CommandArguments> begin(List<SubBatch> parts, List<PendingCall> calls) {
    int micros = 0;
    for (PendingCall call : calls) {
      micros += call.call().micros();
    }
    List<CommandArguments> commands = new ArrayList<>(parts.size());
    for (SubBatch part : parts) {
      boolean isKnown = !known.add(part.call().script());
      if (part.isAsking()) {
        commands.add(new CommandArguments(Command.ASKING));
      }
      boolean isByDigest = isKnown && !part.isRefusedAgain(); // not by each server of a proxy
      commands.add(isByDigest ? part.call().byDigest() : part.call().inFull());
    }
    add(parts, micros);
    return commands;
  }

  private void add(List<SubBatch> parts, int micros) {
    window.sent(micros);
    inFlight.add(new Batch(parts, micros, System.nanoTime()));
  }

  /** Writes commands that are in flight already, as {@link RedisConnection#write} does. */
  void write(List<CommandArguments> commands) {
    writeNanos = System.nanoTime();
    isWriting = true;
    try {
      connection.write(commands);
    } finally {
      isWriting = false;
    }
  }

  /** Records that a server does not know this script. The next call includes its text. */
  void forget(Script script) {
    known.remove(script);
  }

  /** Returns the server's own name of itself; empty if it does not say. */
  String server() {
    return connection.server();
  }

  boolean hasInFlight() {
    return !inFlight.isEmpty();
  }

  /** Returns the batch to which the next replies belong. */
  @Nullable Batch oldest() {
    return inFlight.peek();
  }

  boolean isBeingRead() {
    return isRead.get();
  }

  /** Starts reading, unless another thread reads. Returns whether this thread is the reader now. */
  boolean beginReading() {
    return isRead.compareAndSet(false, true);
  }

  void endReading() {
    isRead.set(false);
  }

  /**
   * Waits for the replies to the oldest batch, one for each of its parts. The batch stays in flight
   * until it is {@link #finish finished}.
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

  /** Removes the oldest batch. Returns false when it is lost: its calls have failed already. */
  @SuppressWarnings("ReferenceEquality") // no two batches are the same
  boolean finish(Batch oldest) {
    synchronized (inFlight) {
      if (inFlight.peek() != oldest) {
        return false;
      }
      inFlight.remove();
    }
    window.replied(oldest.micros(), oldest.sentNanos(), lastReplyNanos);
    return true;
  }

  /**
   * Records the decisions of a batch. Returns whether they have failed for several counters on this
   * connection, and none has ever succeeded. One counter alone may have a state that no script of
   * ours can read.
   */
  boolean hasNeverDecided(BatchReplies replies) {
    hasDecided |= replies.hasDecided;
    if (hasDecided || replies.brokenKeys.isEmpty()) {
      return false;
    }
    if (brokenKeys.size() < FEWEST_BROKEN) {
      brokenKeys.addAll(replies.brokenKeys);
    }
    return brokenKeys.size() >= FEWEST_BROKEN;
  }

  /**
   * Returns the time at which the server is unresponsive. That is a whole deadline without a
   * complete reply, since the oldest batch in flight was written. So a reply that arrives byte by
   * byte does not extend it. A write has a whole deadline too, whatever replies arrive meanwhile.
   * Empty when nothing is in flight.
   */
  OptionalLong unresponsiveNanos() {
    @Nullable Batch oldest = inFlight.peek();
    if (oldest == null) {
      return OptionalLong.empty();
    }
    long sinceNanos = oldest.sentNanos();
    long repliedNanos = lastReplyNanos;
    if (repliedNanos - sinceNanos > 0) {
      sinceNanos = repliedNanos;
    }
    if (isWriting && writeNanos - sinceNanos < 0) {
      sinceNanos = writeNanos;
    }
    return OptionalLong.of(sinceNanos + deadlineNanos);
  }

  /**
   * Returns whether the kernel has bytes that no thread has read. Then this process was paused, not
   * Redis. While a thread writes, it may be the one that reads, so unread bytes show nothing.
   */
  boolean hasUnread() {
    return !isWriting && connection.hasUnread();
  }

  /**
   * Returns the time from which a wait with this {@link #unresponsiveNanos} is suspect: half a
   * deadline after its start, or a quarter after the usual round trip if that is later.
   */
  long suspectNanos(long overdueNanos) {
    return overdueNanos - deadlineNanos + suspectAfterNanos();
  }

  private long suspectAfterNanos() {
    long lateNanos = Math.max(deadlineNanos / 2, window.baseNanos() + deadlineNanos / 4);
    return Math.min(deadlineNanos, lateNanos);
  }

  /**
   * Returns how long after the end of a wait a second connection may still answer. That is 0 near
   * Redis. Far from it, a quarter of the deadline and a round trip do not fit into the wait.
   */
  long graceNanos() {
    long answerNanos = suspectAfterNanos() + window.baseNanos() + deadlineNanos / 4;
    return Math.max(0, answerNanos - deadlineNanos);
  }

  /** Returns whether a reply or a write is awaited, and the wait for it is suspect. */
  boolean isSilent(long nowNanos) {
    OptionalLong unresponsive = unresponsiveNanos();
    return unresponsive.isPresent() && nowNanos - suspectNanos(unresponsive.getAsLong()) >= 0;
  }

  /** Closes the connection. A thread that reads or writes then fails. */
  void close() {
    connection.close();
  }

  /** Closes the connection of an unresponsive server. */
  void closeUnresponsive() {
    isUnresponsive = true;
    connection.close();
  }

  boolean isUnresponsive() {
    return isUnresponsive;
  }

  /** Closes the connection for good. Returns whether this is the first time. */
  boolean fail() {
    connection.close();
    return !hasFailed.getAndSet(true);
  }

  boolean hasFailed() {
    return hasFailed.get();
  }

  /** Takes out the calls that will have no replies. A batch that is added meanwhile may stay. */
  List<PendingCall> drain() {
    synchronized (inFlight) {
      List<PendingCall> all = new ArrayList<>();
      for (@Nullable Batch next = inFlight.poll(); next != null; next = inFlight.poll()) {
        next.parts().forEach(part -> all.addAll(part.calls()));
      }
      return all;
    }
  }
}

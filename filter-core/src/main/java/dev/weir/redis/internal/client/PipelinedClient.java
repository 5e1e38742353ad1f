package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.client.Pipeline.Batch;
import dev.weir.redis.internal.client.PrimarySettings.UnsettledCalls;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * A queue of calls, and the pipelined {@link PrimaryConnection} that sends them.
 *
 * <p><b>Sending.</b> A call is queued. While the {@link InFlightWindow} has room, any thread that
 * finds calls in the queue sends the next {@link Batch}. So a single call is sent at once and
 * alone. Under load a batch fills while others are in flight.
 *
 * <p><b>Reading.</b> One thread at a time reads replies, completes their calls and sends the next
 * batch. It is a thread that waits for a reply itself, the <i>leader</i> of leader and followers,
 * which saves waking another one. When its own call is over, it wakes a thread of the oldest batch
 * to lead. A reader thread takes over when no waiting thread can lead, and stops when one can.
 *
 * <p><b>Which threads use the socket.</b> An interrupted virtual thread closes the socket that it
 * reads or writes, so only platform threads do. A writer thread sends for virtual threads. A thread
 * that is blocked on the socket is freed only when the timer closes the socket, one store deadline
 * later. So a thread reads or writes only while its call has at least 15/16 of the store's deadline
 * left. The call may return late by the rest.
 *
 * <p><b>Invariants.</b> No call is sent again that Redis may have run. While a batch is in flight,
 * a thread reads or was woken to read. Completing a call only wakes its thread.
 *
 * <p>Thread-safe.
 */
final class PipelinedClient {

  /** The part of the store's deadline that may have passed when a thread reads or writes. */
  private static final int IO_SLACK_PART = 16;

  /** The batches that a thread with a call of its own sends. The writer sends further ones. */
  private static final int MOST_BATCHES_SENT = 4;

  private final Host address;
  private final Reports reports;
  private final long deadlineNanos;
  private final long ioNanos;
  private final UnsettledCalls unsettled;
  private final CircuitBreaker circuitBreaker;
  private final PrimaryConnection connection;
  private final SocketTimer timer;
  private final StallWatch stallWatch;
  private final Sharding sharding;
  private final SignalledThread reader;
  private final SignalledThread writer;
  private final CrossSlotSupport across;
  private final CallQueue queue = new CallQueue();
  private final OverdueCalls overdue;

  /** Created before the first outage: a virtual thread that loads a class blocks its carrier. */
  private final OutcomeUnknownException unknown =
      new OutcomeUnknownException("no answer by the deadline");

  private final ReentrantLock writing = new ReentrantLock();
  private volatile ToIntFunction<String> slots;

  PipelinedClient(
      String name,
      Primary primary,
      ToIntFunction<String> slots,
      Consumer<JedisException> onUnusable) {
    this.slots = slots;
    address = primary.address();
    circuitBreaker = primary.circuitBreaker();
    PrimarySettings settings = primary.settings();
    reports = settings.reports();
    deadlineNanos = settings.deadline().toNanos();
    ioNanos = deadlineNanos - deadlineNanos / IO_SLACK_PART;
    timer = settings.timer();
    sharding = settings.connector().sharding();
    unsettled = settings.unsettled();
    across = new CrossSlotSupport(address, settings.connector());
    overdue = new OverdueCalls(timer);
    reader = new SignalledThread("weir-redis-read-" + name, this::runReader, reports.listener());
    writer =
        new SignalledThread(
            "weir-redis-write-" + name,
            () -> {
              send();
              appointReader();
            },
            reports.listener());
    connection = new PrimaryConnection(primary, onUnusable, queue, writer, across);
    stallWatch = new StallWatch(connection, settings.deadline());
    timer.add(overdue);
    timer.add(stallWatch);
  }

  PrimaryConnection connection() {
    return connection;
  }

  /** Returns the number of queued calls. It counts them one by one. */
  int waiting() {
    return queue.size();
  }

  // ---------------------------------------------------------------- calls

  /** Calls the script as {@link PrimaryClient#call} does. */
  List<Long> call(ScriptCall call, Form form, Deadline due) throws StoreUnavailableException {
    if (!circuitBreaker.isHealthy()) {
      throw unavailable(Kind.OUTAGE, connection.out());
    }
    PendingCall pending = new PendingCall(call, form, due);
    try {
      submit(pending);
      await(pending);
    } catch (Error e) { // for example, no thread can be started to read for the other calls
      if (pending.abandon()) { // a late reply is refunded
        throw e;
      }
      reports.errorAfterReply(e);
    }
    return result(pending);
  }

  /** Sends a call that no thread waits for, as {@link PrimaryClient#post} does. */
  void post(ScriptCall call, Deadline due) {
    Runnable unsent = () -> reports.guarded(() -> unsettled.addUnsent(call));
    reports.guarded(() -> submit(PendingCall.posted(call, due, unsent)));
  }

  private void submit(PendingCall call) {
    queue.add(call);
    if (!connection.refuseAllIfOut()) {
      sendFor(call);
    }
  }

  private void await(PendingCall call) {
    boolean interrupted = false;
    try {
      while (!call.isOver()) {
        if (mayDoIo(call)) {
          if (readUntilOver(call)) {
            continue;
          }
        } else {
          appointReader();
        }
        interrupted |= call.isOnPlatformThread() ? call.park() : overdue.park(call);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      appointReader();
    }
  }

  /** Checks the primary as {@link PrimaryClient#tryAcross} does. */
  void tryAcross(ScriptCall decisions) {
    if (circuitBreaker.isHealthy()) {
      across.check(decisions);
    }
  }

  private List<Long> result(PendingCall call) throws StoreUnavailableException {
    Outcome outcome = call.outcome();
    if (outcome instanceof Outcome.Replied replied) {
      return replied.integers();
    }
    if (outcome instanceof Outcome.Abandoned abandoned) {
      if (abandoned.wasSent()) {
        throw unavailable(isShort(call) ? Kind.OUT_OF_TIME : Kind.OUTAGE, unknown);
      }
      Kind kind = kindOfUnsent(call);
      throw unavailable(kind, new NotSentException("it could not be sent by the deadline", kind));
    }
    JedisException cause = ((Outcome.Failed) outcome).cause();
    if (cause instanceof JedisRedirectionException elsewhere) {
      throw elsewhere;
    }
    ErrorKind kind = ErrorKind.of(cause);
    if (kind == ErrorKind.BUG) {
      reports.bug(call.call().operation().label(), cause);
    }
    if (cause instanceof NotSentException notSent) {
      throw unavailable(notSent.kind(), cause);
    }
    throw unavailable(kind.countsAgainstPrimary() ? Kind.OUTAGE : Kind.FAILED, cause);
  }

  /** Returns the reason for which a call could not be sent in time. */
  private Kind kindOfUnsent(PendingCall call) {
    if (isShort(call)) {
      return Kind.OUT_OF_TIME;
    }
    @Nullable Pipeline open = connection.pipeline();
    return open != null && !open.isSilent(System.nanoTime()) ? Kind.OVERLOADED : Kind.OUTAGE;
  }

  /** Returns whether its caller gave it much less time than Redis has for a reply. */
  private boolean isShort(PendingCall call) {
    return call.givenNanos() < deadlineNanos / 2;
  }

  private StoreUnavailableException unavailable(Kind kind, JedisException cause) {
    String message = "redis " + address + ": " + Reports.reason(cause);
    return new StoreUnavailableException(message, kind, circuitBreaker.nextProbe(), cause);
  }

  // ---------------------------------------------------------------- sending

  /** Returns the pipeline if it has room and a call waits for it; null otherwise. */
  private @Nullable Pipeline sendable() {
    if (queue.isEmpty()) {
      return null;
    }
    @Nullable Pipeline to = connection.pipeline();
    return to != null && to.hasRoom() ? to : null;
  }

  /**
   * Sends batches while the window has room. If another thread is sending, it leaves the rest to
   * that thread. After some batches it leaves the rest to the writer thread, since it has its own
   * work to do.
   */
  private void send() {
    for (int i = 0; sendable() != null; i++) {
      if (i == MOST_BATCHES_SENT) {
        writer.signal();
        return;
      }
      if (!writing.tryLock()) {
        return;
      }
      try {
        @Nullable Pipeline to = sendable(); // another thread may have sent meanwhile
        if (to != null) {
          sendBatch(to);
        }
      } finally {
        writing.unlock();
      }
    }
  }

  /** Sends for the thread of this call, or lets the writer thread do so if this one may not. */
  private void sendFor(PendingCall call) {
    if (mayDoIo(call)) {
      send();
    } else if (sendable() != null) {
      writer.signal();
    }
  }

  private void sendBatch(Pipeline to) {
    long nowNanos = System.nanoTime();
    try {
      List<CommandArguments> commands =
          to.isIdleTooLong(nowNanos)
              ? to.beginCheck()
              : putInFlight(to, takeSendable(to, nowNanos));
      if (commands.isEmpty()) {
        return;
      }
      timer.arm(nowNanos + deadlineNanos / 2); // the write may block; no wait is suspect earlier
      to.write(commands);
    } catch (RuntimeException | Error e) {
      connection.lost(to, failure("sending failed", e));
    }
    if (to.hasFailed()) { // it failed meanwhile: no other code fails the calls of this batch
      connection.failInFlight(to, new OutcomeUnknownException("the connection was lost"));
    }
  }

  /** Puts these calls in flight. Calls that cannot be sent fail at once. */
  private List<CommandArguments> putInFlight(Pipeline to, List<PendingCall> calls) {
    if (calls.isEmpty()) {
      return List.of();
    }
    try {
      reports.sent(calls.size());
      List<SubBatch> parts = calls.size() == 1 ? SubBatch.alone(calls) : across.parts(calls, slots);
      return to.begin(parts, calls);
    } catch (RuntimeException | Error e) {
      connection.failAll(calls, new OutcomeUnknownException("sending failed", e));
      throw e;
    }
  }

  /** Takes the next calls that can have a reply in time. The others fail before they are sent. */
  private List<PendingCall> takeSendable(Pipeline to, long nowNanos) {
    long expectedNanos = to.window().expectedNanos(nowNanos);
    List<PendingCall> calls = new ArrayList<>();
    List<PendingCall> next = queue.take();
    if (!queue.isEmpty()) {
      connection.refuseAllIfOut(); // a call that was put back may have missed that
    }
    for (PendingCall call : next) {
      if (call.dueNanos() - nowNanos < expectedNanos) {
        call.refuse(new NotSentException("no time was left to send it", kindOfUnsent(call)));
      } else if (call.markSent()) {
        if (sharding.allows(call.call())) {
          calls.add(call);
        } else { // found meanwhile: then its counters are decided one by one, as if a slot moved
          call.complete(new Outcome.Failed(new JedisDataException("TRYAGAIN on several servers")));
        }
      }
    }
    return calls;
  }

  // ---------------------------------------------------------------- reading

  private boolean mayDoIo(PendingCall call) {
    return call.isOnPlatformThread() && call.dueNanos() - System.nanoTime() >= ioNanos;
  }

  /** Returns whether this thread may read and write for a call with this deadline. */
  boolean mayDoIo(Deadline due) {
    return due.remainingNanos() >= ioNanos && !PendingCall.isVirtual(Thread.currentThread());
  }

  /** Reads for all calls until this call is over. Returns false when it has nothing to read. */
  private boolean readUntilOver(PendingCall call) {
    @Nullable Pipeline from = connection.pipeline();
    if (from == null || !from.hasInFlight() || !from.beginReading()) {
      return false;
    }
    try {
      while (!call.isOver() && from.hasInFlight() && mayDoIo(call)) {
        readBatch(from);
        if (!queue.isEmpty()) {
          sendFor(call);
        }
      }
    } finally {
      from.endReading();
    }
    return true;
  }

  /** Runs on the reader thread, until a waiting thread can lead. */
  private void runReader() {
    @Nullable Pipeline from = connection.pipeline();
    if (from == null || !from.hasInFlight() || !from.beginReading()) {
      return;
    }
    try {
      do {
        readBatch(from);
        send();
      } while (from.hasInFlight() && leaderOf(from) == null);
    } finally {
      from.endReading();
      appointReader();
    }
  }

  /** Ensures that a thread reads while a batch is in flight. */
  private void appointReader() {
    @Nullable Pipeline from = connection.pipeline();
    if (from == null || !from.hasInFlight() || from.isBeingRead()) {
      return;
    }
    @Nullable PendingCall leader = leaderOf(from);
    if (leader != null) {
      leader.wake();
    } else {
      reader.signal();
    }
  }

  /** Returns a call whose thread can read on; null if the reader thread must. */
  private @Nullable PendingCall leaderOf(Pipeline from) {
    @Nullable Batch oldest = from.oldest();
    if (oldest == null) {
      return null;
    }
    for (SubBatch part : oldest.parts()) {
      for (PendingCall call : part.calls()) {
        if (!call.isOver() && mayDoIo(call)) {
          return call;
        }
      }
    }
    return null;
  }

  /** Reads the replies to the oldest batch, and completes its calls. */
  private void readBatch(Pipeline from) {
    @Nullable Batch batch = from.oldest();
    if (batch == null) {
      return;
    }
    BatchReplies replies;
    try {
      replies = new BatchReplies(batch.parts(), from.read(batch));
    } catch (RuntimeException | Error e) {
      connection.lost(from, failure("reading replies failed", e)); // the rest would be misread
      return;
    }
    if (!from.finish(batch)) {
      return;
    }
    replies.unknownScripts.forEach(from::forget);
    if (replies.hasSlotsApart) {
      slots = RedisKeys::slot;
    }
    List<PendingCall> again = replies.requeue();
    List<BatchReplies.Late> lateReplies = replies.complete();
    if (!again.isEmpty()) {
      queue.putBack(again);
      connection.refuseAllIfOut(); // they may have missed that
    }
    lateReplies.forEach(
        reply -> reports.guarded(() -> unsettled.addLate(reply.call(), reply.reply())));
    replies.unknown.forEach(call -> reports.guarded(() -> unsettled.addUnknown(call)));
    replies.health.forEach(circuitBreaker::replied);
    replies.refused.forEach(
        (operation, why) -> {
          if (operation == Operation.ACROSS) {
            across.forbid();
          }
          circuitBreaker.doubted(operation.label(), why);
        });
    if (replies.hasLeftOut) {
      circuitBreaker.doubted("decisions of a batch"); // sent alone, their replies say why
    }
    if (from.hasNeverDecided(replies)) {
      // if the server writes, each failure is a bug, which is reported as such
      circuitBreaker.doubted("decisions of any counter");
    }
  }

  /** Returns why the connection failed. An error of ours is reported, and no failure of Redis. */
  private JedisException failure(String what, Throwable e) {
    if (e instanceof JedisException ofConnection) {
      return ofConnection;
    }
    reports.listener().onError("redis: " + what, e);
    return new OutcomeUnknownException(what + ": " + e, e);
  }

  /** Closes the client. Waiting calls fail at once. */
  void close() {
    timer.remove(stallWatch);
    connection.close();
    timer.remove(overdue);
    reader.close();
    writer.close();
  }

  void join(long millis) throws InterruptedException {
    reader.join(millis);
    writer.join(millis);
  }
}

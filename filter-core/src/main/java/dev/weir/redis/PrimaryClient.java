package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.PendingCall.Form;
import dev.weir.redis.PendingCall.Outcome;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The client of one primary: a queue, one pipelined connection, and a breaker.
 *
 * <p><b>Sending.</b> A call is queued. While the {@link Window} has room, whichever thread finds
 * calls in the queue sends the next {@link Batch}. So a call that comes alone is sent at once and
 * alone, and under load a batch fills while others are in flight.
 *
 * <p><b>Reading.</b> One thread at a time reads replies, completes their calls and sends the next
 * batch. It is a thread that waits for a reply itself, the <i>leader</i>, which saves waking
 * another one. When its own call is over, it wakes a thread of the oldest batch to lead. A reader
 * thread takes over where no waiting thread can lead, and gives way when one can.
 *
 * <p><b>Which threads touch the socket.</b> An interrupted virtual thread closes the socket that it
 * reads or writes, so only platform threads do. A writer thread sends for virtual ones. A thread in
 * a blocked read cannot leave it: the socket is closed when no reply has come for the deadline. So
 * only a thread leads or writes whose own deadline is not before that.
 *
 * <p><b>Unresponsive.</b> After half a deadline without a reply a second connection is opened. If
 * it is ready when the deadline is over, only the first connection was broken, and the second
 * replaces it. If not, the primary is out, and its {@link Circuit} opens.
 *
 * <p><b>Invariants.</b> No call is sent again that Redis may have run. While a batch is in flight,
 * a thread reads or was woken to read. Completing a call only wakes its thread.
 *
 * <p>Thread-safe.
 */
final class PrimaryClient implements SocketTimer.Watched {

  /** By this part of its deadline, a thread that does I/O may be late. */
  private static final int LATE_PART = 16;

  /** One may wait for a name server, and others for a handshake. */
  private static final int BACKGROUND_THREADS = 4;

  /**
   * Where batches carry more calls on average, the reader thread reads: it is woken once and goes
   * on, where each leader would wake the next.
   */
  private static final int MOST_CALLS_LED = 3;

  /**
   * A thread with a call of its own sends so many batches, and leaves further ones to the writer.
   */
  private static final int MOST_BATCHES_SENT = 4;

  private static final CommandArguments PING = new CommandArguments(Command.PING);

  private final Host address;
  private final Reports reports;
  private final Duration deadline;
  private final long deadlineNanos;
  private final boolean isBatching;
  private final SocketTimer timer;
  private final Refunds refunds;
  private final Background background;
  private final Connector connector;
  private final Circuit circuit;
  private final SignalledThread reader;
  private final SignalledThread writer;
  private final CallQueue queue = new CallQueue();
  private final ReentrantLock writing = new ReentrantLock();
  private volatile ToIntFunction<String> slots;
  private volatile @Nullable Pipeline pipeline;
  private volatile boolean closed;

  /** The wait that was found doubtful. Used by the timer thread. */
  private long doubtedNanos;

  /** Ready to replace a connection that does not respond. Guarded by this. */
  private @Nullable RedisConnection spare;

  /** Whether a connection is being opened. Guarded by this. */
  private boolean isDialling;

  /**
   * @param slots which keys one command may have
   * @param probe a call that writes on this primary, null while there is none
   */
  PrimaryClient(
      Host address,
      PrimarySettings settings,
      ToIntFunction<String> slots,
      Function<PrimaryClient, @Nullable ScriptCall> probe) {
    this.address = address;
    this.slots = slots;
    reports = settings.reports();
    deadline = settings.deadline();
    deadlineNanos = deadline.toNanos();
    isBatching = settings.batching();
    timer = settings.timer();
    refunds = settings.refunds();
    connector = settings.connector();
    background = new Background("weir-redis-" + address, BACKGROUND_THREADS, reports.listener());
    reader = new SignalledThread("weir-redis-read-" + address, this::readAlone, reports.listener());
    writer =
        new SignalledThread("weir-redis-write-" + address, this::sendAlone, reports.listener());
    circuit =
        new Circuit(
            address,
            background,
            reports,
            () -> hasWritten(probe.apply(this)),
            this::dismiss,
            settings.onDoubt());
    timer.add(this);
    background.execute(this::connect);
    background.later(
        connector.patienceTime(),
        () -> refuseIfNotConnected(new JedisConnectionException("not connected in time")));
  }

  // ---------------------------------------------------------------- calls

  /**
   * Calls the script, and returns the integers that it replies.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline, or the primary is
   *     out
   * @throws JedisRedirectionException when another primary has the slot
   */
  List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    boolean isBatched = isBatching && call.script().isDecision();
    return await(submit(call, isBatched ? Form.BATCHED : Form.ALONE, due));
  }

  /** The same for a slot that is on its way to this primary. */
  List<Long> callAsking(ScriptCall call, Deadline due) throws StoreUnavailableException {
    return await(submit(call, Form.ASKING, due));
  }

  private PendingCall submit(ScriptCall call, Form form, Deadline due)
      throws StoreUnavailableException {
    refuseWhileOut();
    PendingCall pending = new PendingCall(call, form, due);
    queue.add(pending);
    if (closed) {
      pending.refuse(closedStore());
    } else if (!isHealthy()) {
      pending.refuse(out()); // it may have missed that all were refused
    } else if (mayDoIo(pending)) {
      send();
    } else if (canSend()) {
      writer.signal();
    }
    return pending;
  }

  private List<Long> await(PendingCall call) throws StoreUnavailableException {
    boolean interrupted = false;
    while (!call.isOver()) {
      if (mayDoIo(call)) {
        if (leads(call)) {
          continue;
        }
      } else {
        appointReader();
      }
      interrupted |= call.park();
    }
    appointReader();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return result(call);
  }

  private List<Long> result(PendingCall call) throws StoreUnavailableException {
    Outcome outcome = call.outcome();
    if (outcome instanceof Outcome.Replied replied) {
      return replied.integers();
    }
    if (outcome instanceof Outcome.Redirected redirected) {
      throw redirected.to();
    }
    if (outcome instanceof Outcome.Abandoned abandoned) {
      throw abandoned.wasSent() ? unanswered(call) : unsent(call);
    }
    JedisException cause = ((Outcome.Failed) outcome).cause();
    ErrorKind kind = ErrorKind.of(cause);
    if (kind == ErrorKind.BUG) {
      reports.bug(call.call().script().name(), cause);
    }
    if (cause instanceof NotSentException notSent) {
      throw unavailable(notSent.kind(), cause);
    }
    throw unavailable(kind.isFailure() ? Kind.OUTAGE : Kind.FAILED, cause);
  }

  private StoreUnavailableException unanswered(PendingCall call) {
    Kind kind = isShort(call) ? Kind.OUT_OF_TIME : Kind.OUTAGE;
    return unavailable(kind, new OutcomeUnknownException("no answer by the deadline"));
  }

  private StoreUnavailableException unsent(PendingCall call) {
    Kind kind = kindOfLate(call);
    String why =
        call.due().hasPassed()
            ? "it could not be sent by the deadline"
            : "interrupted in the queue";
    return unavailable(kind, new NotSentException(why, kind));
  }

  /** Why a call could not be sent in time. */
  private Kind kindOfLate(PendingCall call) {
    if (isShort(call)) {
      return Kind.OUT_OF_TIME;
    }
    @Nullable Pipeline open = pipeline;
    return open != null && !open.isSilent(System.nanoTime()) ? Kind.OVERLOADED : Kind.OUTAGE;
  }

  /** Whether its caller gave it much less time than Redis has to answer. */
  private boolean isShort(PendingCall call) {
    return call.givenNanos() < deadlineNanos / 2;
  }

  // ---------------------------------------------------------------- sending

  private boolean canSend() {
    @Nullable Pipeline to = pipeline;
    return to != null && !queue.isEmpty() && to.hasRoom();
  }

  /**
   * Sends what the window has room for. A thread that finds another one sending leaves it to it,
   * and leaves it to the writer thread after some batches: it has its own work to do.
   */
  private void send() {
    for (int i = 0; canSend(); i++) {
      if (i == MOST_BATCHES_SENT) {
        writer.signal();
        return;
      }
      if (!writing.tryLock()) {
        return;
      }
      try {
        @Nullable Pipeline to = pipeline;
        if (to != null && canSend()) {
          sendBatch(to);
        }
      } finally {
        writing.unlock();
      }
    }
  }

  /** On the writer thread. */
  private void sendAlone() {
    send();
    appointReader();
  }

  private void sendBatch(Pipeline to) {
    long nowNanos = System.nanoTime();
    List<PendingCall> calls = List.of();
    try {
      if (to.isIdleTooLong(nowNanos)) {
        to.check(PING);
      } else {
        calls = taken(to, nowNanos);
        if (calls.isEmpty()) {
          return;
        }
        to.send(SubBatch.of(calls, slots), calls);
      }
      timer.arm(System.nanoTime() + deadlineNanos / 2);
    } catch (RuntimeException | Error e) {
      lost(to, failure("sending failed", e));
      failAll(calls, new OutcomeUnknownException("sending failed", e));
    }
    if (to.hasFailed()) {
      failInFlight(to, new OutcomeUnknownException("the connection was lost"));
    }
  }

  /** The next calls that can be answered in time. The others are refused before they are sent. */
  private List<PendingCall> taken(Pipeline to, long nowNanos) {
    long expectedNanos = to.window().expectedNanos(nowNanos);
    List<PendingCall> calls = new ArrayList<>();
    for (PendingCall call : to.window().needsSample(nowNanos) ? queue.takeOne() : queue.take()) {
      if (call.due().nanoTime() - nowNanos < expectedNanos) {
        call.refuse(new NotSentException("no time was left to send it", kindOfLate(call)));
      } else if (call.send()) {
        calls.add(call);
      }
    }
    return calls;
  }

  // ---------------------------------------------------------------- reading

  private boolean mayDoIo(PendingCall call) {
    return call.isOnPlatformThread()
        && call.due().remainingNanos() >= deadlineNanos - deadlineNanos / LATE_PART;
  }

  /** Reads for all until this call is over. Returns false when there is nothing to read for it. */
  private boolean leads(PendingCall call) {
    @Nullable Pipeline from = pipeline;
    if (from == null || !from.hasUnanswered() || !from.beginReading()) {
      return false;
    }
    try {
      while (!call.isOver() && from.hasUnanswered() && mayDoIo(call)) {
        readBatch(from);
      }
    } finally {
      from.endReading();
    }
    return true;
  }

  /** On the reader thread: until a waiting thread can lead. */
  private void readAlone() {
    @Nullable Pipeline from = pipeline;
    if (from == null || !from.hasUnanswered() || !from.beginReading()) {
      return;
    }
    try {
      do {
        readBatch(from);
      } while (from.hasUnanswered() && leaderOf(from) == null);
    } finally {
      from.endReading();
    }
    appointReader();
  }

  /** Sees to it that a thread reads while a batch is in flight. */
  private void appointReader() {
    @Nullable Pipeline from = pipeline;
    if (from == null || !from.hasUnanswered() || from.isBeingRead()) {
      return;
    }
    @Nullable PendingCall leader = leaderOf(from);
    if (leader != null) {
      leader.wake();
    } else {
      reader.signal();
    }
  }

  /** A waiting thread that can read on; null where the reader thread is to do so. */
  private @Nullable PendingCall leaderOf(Pipeline from) {
    @Nullable Batch oldest = from.oldest();
    if (oldest == null || from.averageCalls() > MOST_CALLS_LED) {
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

  /** Reads the replies to the oldest batch, sends the next one, and completes the calls. */
  private void readBatch(Pipeline from) {
    @Nullable Batch batch = from.oldest();
    if (batch == null) {
      return;
    }
    BatchReplies replies;
    try {
      replies = new BatchReplies(batch, from.read(batch));
    } catch (RuntimeException | Error e) {
      lost(from, failure("reading replies failed", e)); // what follows would be misread
      return;
    }
    if (!from.answered(batch)) {
      return;
    }
    replies.unknownScripts().forEach(from::forget);
    if (replies.hasSlotsApart()) {
      slots = RedisKeys::slot;
    }
    queue.putBack(replies.unsent());
    try {
      refuseAllIfOut();
      send();
    } finally {
      replies.complete(refunds);
    }
    @Nullable JedisException failure = replies.failure();
    if (failure == null) {
      circuit.succeeded();
    } else {
      circuit.failed(failure);
    }
  }

  /** A failure of the connection; any other is a bug of ours, and reported. */
  private JedisException failure(String what, Throwable e) {
    if (e instanceof JedisException ofConnection) {
      return ofConnection;
    }
    reports.listener().onError("redis: " + what, e);
    return new JedisConnectionException(what + ": " + e, e);
  }

  // ---------------------------------------------------------------- connections

  /** Opens the first connection, before a call waits for it. */
  private void connect() {
    try {
      RedisConnection first = connector.open(address);
      Preload.on(first, connector.patience());
      use(first);
    } catch (JedisException e) {
      circuit.refuse(e);
    }
  }

  /**
   * Does what a request would do, on a connection of its own: PING is answered while writes fail.
   */
  private boolean hasWritten(@Nullable ScriptCall write) {
    if (write == null) {
      return false;
    }
    RedisConnection connection = connector.open(address);
    try {
      write.on(connection, Deadline.after(deadline));
      Preload.on(connection, Deadline.after(deadline));
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
    use(connection);
    return true;
  }

  /** Makes this the connection, in place of the one before. */
  private void use(RedisConnection connection) {
    @Nullable Pipeline before;
    if (!connection.isUsable()) {
      connection.close();
      circuit.refuse(new JedisConnectionException("lost as soon as it was connected"));
      return;
    }
    synchronized (this) {
      if (closed) {
        connection.close();
        return;
      }
      before = pipeline;
      pipeline = new Pipeline(connection, deadline);
    }
    if (before != null && before.fail()) {
      failInFlight(before, new OutcomeUnknownException("the connection was replaced"));
    }
    send();
    appointReader();
  }

  /**
   * The connection has failed: all calls in flight fail, and those in the queue wait for another.
   */
  private void lost(Pipeline failed, JedisException how) {
    if (!failed.fail()) {
      return;
    }
    JedisException why = failed.isUnresponsive() ? unresponsive() : how;
    @Nullable RedisConnection next;
    synchronized (this) {
      if (pipeline == failed) {
        pipeline = null;
      }
      next = spare;
      spare = null;
    }
    failInFlight(failed, new OutcomeUnknownException(Reports.reason(why), why));
    if (closed) {
      close(next);
      return;
    }
    if (next != null) {
      circuit.failed(why);
      background.later(Duration.ZERO, () -> use(next));
    } else if (failed.isUnresponsive()) {
      circuit.refuse(why);
    } else {
      circuit.failed(why);
      dial(this::use);
      background.later(deadline, () -> refuseIfNotConnected(why));
    }
  }

  private static void close(@Nullable RedisConnection connection) {
    if (connection != null) {
      connection.close();
    }
  }

  private JedisException unresponsive() {
    return new JedisConnectionException("no reply for " + deadline.toMillis() + " ms");
  }

  private void refuseIfNotConnected(JedisException why) {
    if (pipeline == null && !closed) {
      circuit.refuse(why);
    }
  }

  private void failInFlight(Pipeline failed, OutcomeUnknownException why) {
    for (Batch batch : failed.drain()) {
      batch.parts().forEach(part -> failAll(part.calls(), why));
    }
  }

  /** Calls that may have been sent: what they may hold is released. */
  private void failAll(List<PendingCall> calls, OutcomeUnknownException why) {
    for (PendingCall call : calls) {
      call.complete(new Outcome.Failed(why));
      refunds.addUnknown(call.call());
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
      return OptionalLong.of(nowNanos + deadlineNanos / LATE_PART);
    }
    watched.closeUnresponsive();
    return OptionalLong.empty();
  }

  /** Opens a connection in the background, unless one is being opened. */
  private void dial(Consumer<RedisConnection> then) {
    synchronized (this) {
      if (isDialling || spare != null || closed) {
        return;
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
              circuit.refuse(e);
            }
          } finally {
            synchronized (this) {
              isDialling = false;
            }
          }
        });
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

  private void closeSpare() {
    @Nullable RedisConnection unneeded;
    synchronized (this) {
      unneeded = spare;
      spare = null;
    }
    close(unneeded);
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
  private void dismiss() {
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

  /** Calls that are put back may miss that all others were refused. */
  private void refuseAllIfOut() {
    if (closed) {
      refuseAll(closedStore());
    } else if (!isHealthy()) {
      refuseAll(out());
    }
  }

  private void refuseWhileOut() throws StoreUnavailableException {
    if (!isHealthy()) {
      throw unavailable(Kind.OUTAGE, out());
    }
  }

  private NotSentException out() {
    return new NotSentException("is out: " + circuit.trouble(), Kind.OUTAGE);
  }

  private static NotSentException closedStore() {
    return new NotSentException("closed", Kind.OUTAGE);
  }

  private StoreUnavailableException unavailable(Kind kind, JedisException cause) {
    String message = "redis " + address + ": " + Reports.reason(cause);
    return new StoreUnavailableException(message, kind, nextProbe(), cause);
  }

  /** Refuses from now on until probes have written: this one error proves that it must. */
  void refuse(JedisException why) {
    circuit.refuse(why);
  }

  Host address() {
    return address;
  }

  boolean isHealthy() {
    return circuit.isHealthy();
  }

  RedisStatus.Primary status() {
    return new RedisStatus.Primary(address.toString(), circuit.status());
  }

  Duration nextProbe() {
    return circuit.nextProbe();
  }

  /** The primary has no slot any more: whether it is out is of no interest. */
  void retire() {
    if (!isHealthy()) {
      reports.left(address.toString());
    }
    close();
  }

  /** Calls that wait fail at once. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    circuit.close();
    background.close();
    timer.remove(this);
    @Nullable Pipeline open = pipeline;
    if (open != null) {
      lost(open, new JedisConnectionException("closed"));
    }
    refuseAll(closedStore());
    closeSpare();
    reader.close();
    writer.close();
  }

  void join(long millis) throws InterruptedException {
    background.join(millis);
    reader.join(millis);
    writer.join(millis);
  }
}

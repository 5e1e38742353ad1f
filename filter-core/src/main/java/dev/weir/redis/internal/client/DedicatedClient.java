package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.client.PrimaryClient.Primary;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A connection for one call at a time. It is opened when a call first needs it, and serves later
 * calls. A call that does not find it ready uses the shared connection.
 *
 * <p><b>Invariant.</b> It is used only while the shared connection is the one that it was opened
 * alongside. The shared connection is replaced when it is lost and after each outage. It may then
 * lead to another server.
 *
 * <p>It is a {@link PipelinedClient} of its own, so it times out, fails and sends again in the same
 * way. The queue of that client never has more than one call. Its reader and writer threads start
 * only when a call runs out of time.
 *
 * <p>Thread-safe.
 */
final class DedicatedClient {

  /**
   * The first pause after a server has accepted no further connection. The pause doubles each time.
   */
  private static final long SHORTEST_PAUSE_NANOS = 1_000_000_000L;

  private static final long LONGEST_PAUSE_NANOS = 60 * SHORTEST_PAUSE_NANOS;

  private final PipelinedClient client;
  private final PipelinedClient shared;
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private volatile long pauseNanos = SHORTEST_PAUSE_NANOS;

  /**
   * The shared connection at the time of opening. Used by the thread that has taken this client.
   */
  private @Nullable Pipeline openedFor;

  /** The time of opening. Used by the same thread. */
  private long openedNanos = System.nanoTime() - SHORTEST_PAUSE_NANOS;

  DedicatedClient(
      String name, Primary primary, ToIntFunction<String> slots, PipelinedClient shared) {
    this.shared = shared;
    client = new PipelinedClient(name, primary, slots, this::pauseLonger);
  }

  /**
   * Doubles the pause. A server may accept only a limited number of connections. Calls then share
   * the existing ones.
   */
  private void pauseLonger(JedisException notConnected) {
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
  }

  /** Takes the client for one {@link #call}. Returns whether this thread has it now. */
  boolean take() {
    if (isTaken.get() || !isTaken.compareAndSet(false, true)) {
      return false;
    }
    boolean isReady = false;
    try {
      isReady = prepare();
    } finally {
      if (!isReady) {
        isTaken.set(false);
      }
    }
    return isReady;
  }

  /** Returns whether the connection can be used. If not, starts to open it. */
  @SuppressWarnings("ReferenceEquality") // no two pipelines are the same
  private boolean prepare() {
    @Nullable Pipeline current = shared.connection().pipeline();
    if (current == null) {
      return false;
    }
    if (current == openedFor && client.connection().isReady()) {
      return true;
    }
    long nowNanos = System.nanoTime();
    boolean isDue = current != openedFor || nowNanos - openedNanos >= pauseNanos;
    if (isDue && client.connection().reopen()) {
      openedFor = current;
      openedNanos = nowNanos;
    }
    return false;
  }

  /** Calls a script as {@link PipelinedClient#call} does. */
  List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    try {
      List<Long> reply = client.call(call, Form.SINGLE, due);
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return reply;
    } finally {
      isTaken.set(false);
    }
  }

  /** Fails the waiting calls, because the primary is unavailable. */
  void failQueued() {
    client.connection().failQueued();
    client.connection().closeIdle();
  }

  void close() {
    client.close();
  }

  void join(long millis) throws InterruptedException {
    client.join(millis);
  }
}

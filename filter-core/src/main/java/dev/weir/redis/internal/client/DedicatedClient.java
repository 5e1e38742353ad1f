package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A connection for one call at a time. It is opened when a call first needs it, and serves the
 * calls after that: a call that finds it not ready uses the shared one.
 *
 * <p><b>Invariant.</b> It is used only while the shared connection is the one that it was opened
 * alongside. That is replaced when it is lost and after each outage, and may then lead to another
 * server.
 *
 * <p>It is a {@link PipelinedClient} of its own, and so shares how that times out, fails, and sends
 * again. The queue of that never holds more than one call; its reader and writer threads start only
 * where a call runs out of time.
 *
 * <p>Thread-safe.
 */
final class DedicatedClient {

  /**
   * A server that accepts no more connections is asked again after so long, and twice as long each
   * time.
   */
  private static final long SHORTEST_PAUSE_NANOS = 1_000_000_000L;

  private static final long LONGEST_PAUSE_NANOS = 60 * SHORTEST_PAUSE_NANOS;

  private final PipelinedClient client;
  private final PipelinedClient shared;
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private volatile long pauseNanos = SHORTEST_PAUSE_NANOS;

  /** The shared connection then. Used by the thread that has taken this. */
  private @Nullable Pipeline openedBeside;

  /** Used by the same thread. */
  private long openedNanos = System.nanoTime() - SHORTEST_PAUSE_NANOS;

  DedicatedClient(
      String name, Primary primary, ToIntFunction<String> slots, PipelinedClient shared) {
    this.shared = shared;
    client = new PipelinedClient(name, primary, slots, this::pauseLonger);
  }

  /** A server may accept so many connections and no more: calls share what there is. */
  private void pauseLonger(JedisException notConnected) {
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
  }

  /** Returns whether this thread has it now, for one {@link #call}. */
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

  /** Returns whether it can be used; begins to open it where it cannot. */
  @SuppressWarnings("ReferenceEquality") // no two pipelines are the same
  private boolean prepare() {
    @Nullable Pipeline beside = shared.connection().pipeline();
    if (beside == null) {
      return false;
    }
    if (beside == openedBeside && client.connection().isReady()) {
      return true;
    }
    long nowNanos = System.nanoTime();
    boolean isDue = beside != openedBeside || nowNanos - openedNanos >= pauseNanos;
    if (isDue && client.connection().reopen()) {
      openedBeside = beside;
      openedNanos = nowNanos;
    }
    return false;
  }

  /** As {@link PipelinedClient#call}. */
  List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    try {
      List<Long> reply = client.call(call, Form.SINGLE, due);
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return reply;
    } finally {
      isTaken.set(false);
    }
  }

  /** The primary is out: no call waits for it any longer. */
  void failWaiting() {
    client.connection().failWaiting();
    client.connection().closeIdle();
  }

  void close() {
    client.close();
  }

  void join(long millis) throws InterruptedException {
    client.join(millis);
  }
}

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
 * A connection for one call at a time. It is opened when it is first wanted, and serves the calls
 * after that: a call that finds it not ready goes another way.
 *
 * <p><b>Invariant.</b> It is used only beside the shared connection that it was opened beside. That
 * is replaced when it is lost and after each outage, and may then lead to another server.
 *
 * <p>Thread-safe.
 */
final class LoneClient {

  /**
   * A server that lets nobody else in is asked again after so long, and twice as long each time.
   */
  private static final long SHORTEST_PAUSE_NANOS = 1_000_000_000L;

  private static final long LONGEST_PAUSE_NANOS = 60 * SHORTEST_PAUSE_NANOS;

  private final PipelinedClient client;
  private final PipelinedClient shared;
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private volatile long pauseNanos = SHORTEST_PAUSE_NANOS;

  /** What it was opened beside, and when. Who has taken it may use both. */
  private @Nullable Pipeline openedBeside;

  private long openedNanos = System.nanoTime() - SHORTEST_PAUSE_NANOS;

  LoneClient(String name, Primary primary, ToIntFunction<String> slots, PipelinedClient shared) {
    this.shared = shared;
    client = new PipelinedClient(name, primary, slots, this::pauseLonger);
  }

  /** A server may let in so many connections and no more: calls share what there is. */
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
      isReady = isReadyOrReopened();
    } finally {
      if (!isReady) {
        isTaken.set(false);
      }
    }
    return isReady;
  }

  @SuppressWarnings("ReferenceEquality") // no two pipelines are the same
  private boolean isReadyOrReopened() {
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
      List<Long> reply = client.call(call, Form.ALONE, due);
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return reply;
    } finally {
      isTaken.set(false);
    }
  }

  /** The primary is out: no call waits for it any longer. */
  void dismiss() {
    client.connection().dismiss();
    client.connection().closeIdle();
  }

  void close() {
    client.close();
  }

  void join(long millis) throws InterruptedException {
    client.join(millis);
  }
}

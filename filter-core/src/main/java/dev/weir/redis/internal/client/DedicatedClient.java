package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A connection for one call at a time. It is opened when a call first needs it, and serves later
 * calls. A call that does not find it ready uses the shared connection.
 *
 * <p><b>Invariant.</b> It is used only while the shared connection is the one that it was opened
 * alongside, and both lead to the same server. The shared connection is replaced when it is lost
 * and after each outage. The name of a primary, or its virtual address, may lead to another server
 * at any time.
 *
 * <p>It is a {@link PipelinedClient} of its own, so it times out, fails and sends again in the same
 * way. The queue of that client never has more than one call. Its reader and writer threads start
 * only when a call runs out of time.
 *
 * <p>Thread-safe.
 */
final class DedicatedClient {

  /**
   * The pause before a connection is opened again. It doubles with each connection that serves no
   * call: a server may accept no further connection, or the address may lead to another server.
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
    client = new PipelinedClient(name, primary, slots, notConnected -> {});
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
    if (current == null || current.server().isEmpty()) {
      return false;
    }
    @Nullable Pipeline own = client.connection().pipeline();
    if (current == openedFor
        && client.connection().isReady()
        && own != null
        && own.server().equals(current.server())) {
      return true;
    }
    long nowNanos = System.nanoTime();
    boolean isDue = current != openedFor || nowNanos - openedNanos >= pauseNanos;
    if (isDue && client.connection().reopen()) {
      openedFor = current;
      openedNanos = nowNanos;
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
    return false;
  }

  /** Calls a script as {@link PipelinedClient#call} does. */
  List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    try {
      List<Long> reply = client.call(call, PendingCall.Form.SINGLE, due);
      pauseNanos = SHORTEST_PAUSE_NANOS;
      return reply;
    } finally {
      isTaken.set(false);
    }
  }

  /** Fails the waiting calls, because the primary is unavailable. */
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

package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A connection for one call at a time. It is opened when it is first wanted, and serves the calls
 * after that: a call that finds it not ready goes another way. Thread-safe.
 */
final class LoneClient {

  /** A server that lets nobody else in is not asked with each call. */
  private static final long REOPEN_NANOS = 1_000_000_000L;

  private final PipelinedClient client;
  private final AtomicBoolean isTaken = new AtomicBoolean();

  /** Who has it may use this. */
  private long openedNanos = System.nanoTime() - REOPEN_NANOS;

  LoneClient(String name, Primary primary, ToIntFunction<String> slots) {
    client = new PipelinedClient(name, primary, slots, LoneClient::goesWithout);
  }

  /** A server may let in so many connections and no more: calls share those that there are. */
  private static void goesWithout(JedisException notConnected) {}

  /** Returns whether this thread has it now, for one {@link #call}. */
  boolean take() {
    if (isTaken.get() || !isTaken.compareAndSet(false, true)) {
      return false;
    }
    if (client.connection().isReady()) {
      return true;
    }
    long nowNanos = System.nanoTime();
    if (nowNanos - openedNanos >= REOPEN_NANOS) {
      openedNanos = nowNanos;
      client.connection().reopen();
    }
    isTaken.set(false);
    return false;
  }

  /** As {@link PipelinedClient#call}. */
  List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    try {
      return client.call(call, Form.ALONE, due);
    } finally {
      isTaken.set(false);
    }
  }

  /** The primary is out: what is connected to it now may lead to a server that was replaced. */
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

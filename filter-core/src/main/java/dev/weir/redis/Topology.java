package dev.weir.redis;

import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The primary of each key, and the clients of the primaries. */
sealed interface Topology permits Standalone, RefreshedTopology {

  /** Returns the slot of a key; 0 without a cluster. One call can decide keys of one slot. */
  int slot(String key);

  /** Returns the primary that has this slot; null before it is known. */
  @Nullable Host primary(int slot);

  /**
   * Calls the script on the primary that has this slot, and returns the integers of its reply.
   *
   * @throws StoreUnavailableException when there is no reply by the deadline
   */
  List<Long> call(int slot, ScriptCall call, Deadline deadline) throws StoreUnavailableException;

  /**
   * Posts a refund to the primary that has this slot. Returns at once. If Redis does not run it,
   * {@link Refunds} send it later.
   */
  void post(int slot, ScriptCall refund);

  /**
   * Fails if the primary of this slot is known to be unavailable, before another primary is
   * charged. If all keys have one slot, the call to it fails as early.
   */
  default void requireHealthy(int slot) throws StoreUnavailableException {}

  List<PrimaryClient> clients();

  /** Returns whether the primaries are known and all of them respond. */
  default boolean isHealthy() {
    List<PrimaryClient> clients = clients();
    return !clients.isEmpty() && clients.stream().allMatch(PrimaryClient::isHealthy);
  }

  /** Returns whether a primary is being found or connected to, and nothing has failed yet. */
  default boolean isConnecting() {
    return clients().stream().anyMatch(PrimaryClient::isConnecting);
  }

  /** Returns the time until the next probe of a primary that is unavailable. */
  Duration nextProbe();

  /** Closes the clients. All calls that wait for a primary fail at once. */
  void close();

  void join(long millis) throws InterruptedException;
}

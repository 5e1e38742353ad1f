package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which primary keeps which key, and the clients to them. */
sealed interface Topology permits Standalone, RefreshedTopology {

  /** The slot of a key; 0 without a cluster. Keys of one slot can be decided in one call. */
  int slot(String key);

  /** The primary that has this slot; null before it is known. */
  @Nullable Host primary(int slot);

  /**
   * Calls the script on the primary that has this slot, and returns the integers that it replies.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  List<Long> call(int slot, ScriptCall call, Deadline deadline) throws StoreUnavailableException;

  /**
   * Posts a refund to the primary that has this slot: returns at once. Where it is not run, {@link
   * Refunds} send it later.
   */
  void post(int slot, ScriptCall refund);

  /**
   * Refuses, before anything is charged elsewhere, what this slot's primary could not charge. Where
   * all keys have one slot, its call says so as early.
   *
   * @throws StoreUnavailableException when the primary that has this slot is known to be out
   */
  default void requireHealthy(int slot) throws StoreUnavailableException {}

  /** The clients to all primaries known. */
  List<PrimaryClient> clients();

  /** Whether the primaries are known, and all of them answer. */
  default boolean isHealthy() {
    List<PrimaryClient> clients = clients();
    return !clients.isEmpty() && clients.stream().allMatch(PrimaryClient::isHealthy);
  }

  /** How long until a primary that is out is next tried. */
  Duration nextProbe();

  /** Answers everybody who waits for a primary. */
  void close();

  /** Waits for the threads to end. */
  void join(long millis) throws InterruptedException;
}

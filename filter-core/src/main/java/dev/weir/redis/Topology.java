package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.client.PrimaryClient;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.List;

/** Which primary keeps which key, and the clients to them. */
sealed interface Topology permits Standalone, RefreshedTopology {

  /** Keys of one group can be decided together, in one call. */
  int group(String key);

  /**
   * Calls the script on the primary that keeps this group, and returns the integers that it
   * replies.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  List<Long> call(int group, ScriptCall call, Deadline deadline) throws StoreUnavailableException;

  /**
   * Refuses, before anything is charged elsewhere, what this group's primary could not charge.
   * Where all keys are one group, its call says so as early.
   *
   * @throws StoreUnavailableException when the primary that keeps this group is known to be out
   */
  default void requireHealthy(int group) throws StoreUnavailableException {}

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

package dev.weir.http.internal.decide;

import dev.weir.http.Rule;
import dev.weir.internal.wait.WaiterLimit;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The decision about a request that waits for it, if it is not made at once.
 *
 * <p>In a container that cannot let a request wait without a thread, it waits on its own. The
 * number of these threads is small, so that a flood does not block the whole pool.
 *
 * @param rules those that are decided together
 * @param place cancelled when the request gives up its wait
 * @param decision the decision; fails only when the wait was cancelled
 * @param maxWait the longest wait
 */
public record QueuedDecision(
    List<Rule> rules,
    CompletableFuture<?> place,
    CompletableFuture<JointDecision> decision,
    Duration maxWait) {

  /**
   * How many requests may wait on their threads at once. All applications that share these classes
   * share this number, because they share a pool too.
   */
  public static final int MOST_THREADS = 16;

  /** The places of requests that wait on their threads. */
  public static final WaiterLimit THREADS = new WaiterLimit(MOST_THREADS);

  /**
   * Waits on this thread. If it is interrupted, the request gives up its wait and is denied. It
   * then holds no permits and is charged nothing.
   */
  public JointDecision await() {
    try {
      return decision.get();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return place.cancel(true) ? left() : decision.join();
    } catch (CancellationException | ExecutionException left) {
      return left();
    }
  }

  private JointDecision left() {
    return JointDecision.of(rules, List.of(), Decision.failClosed(JointDecision.SOON));
  }
}

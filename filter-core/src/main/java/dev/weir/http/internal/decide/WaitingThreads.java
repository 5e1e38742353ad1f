package dev.weir.http.internal.decide;

import dev.weir.Decision;
import dev.weir.http.Rule;
import dev.weir.http.internal.decide.RuleDecider.PendingDecision;
import dev.weir.internal.wait.WaiterLimit;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

/**
 * The threads of requests that wait in a container that cannot let them wait without a thread.
 * Their number is small, so that a flood does not block the whole pool.
 */
public final class WaitingThreads {

  /**
   * How many requests may wait at once. All applications that share these classes share this
   * number, because they share a pool too.
   */
  public static final int MOST = 16;

  /** The places of these requests. */
  public static final WaiterLimit PLACES = new WaiterLimit(MOST);

  private WaitingThreads() {}

  /**
   * Waits on this thread. If it is interrupted, the request gives up its wait and is denied. It
   * then holds no permits and is charged nothing.
   */
  public static RuleDecision await(PendingDecision pending) {
    try {
      return pending.answered().get();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return pending.place().cancel(true) ? left(pending) : pending.answered().join();
    } catch (CancellationException | ExecutionException left) {
      return left(pending);
    }
  }

  private static RuleDecision left(PendingDecision pending) {
    List<Rule> rules = RuleCharges.rules(pending.charged());
    return RuleDecision.uncounted(rules, Decision.closed(RuleDecision.SOON));
  }
}

package dev.weir.http.internal.response;

import dev.weir.internal.RecentlyUsed;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore.Ticker;
import java.util.List;
import java.util.Map;

/**
 * Spreads the retries of the clients that one shared counter has denied.
 *
 * <p>With the exact wait, all clients would return at one instant, and most would be denied again.
 * So each client receives an {@linkplain RetrySlots instant of its own}: the exact wait or later. A
 * client that is counted alone receives the exact wait. So do all clients if another counter binds.
 *
 * <p>Clients are distinguished by their addresses. All clients behind one address receive one
 * instant. Only the denials of this node are spread. Thread-safe.
 */
public final class SharedRetries {

  private static final int MOST_COUNTERS = 100;

  /**
   * The key of the slots. Requests of different sizes fit at different times, so each size has
   * slots.
   */
  private record Denied(Counter counter, long permits) {}

  private final Ticker ticker;
  private final Map<Denied, RetrySlots> slots = new RecentlyUsed<>(MOST_COUNTERS);

  public SharedRetries(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Returns the same denial with the wait for this client.
   *
   * @param denial by a shared counter
   * @param permits how many the request needs of this counter
   * @param client the key of its address
   */
  public Decision spread(Decision.Counted denial, long permits, String client) {
    Verdict binding = denial.binding();
    if (!(binding.retry() instanceof Retry.After exact)) {
      return denial;
    }
    Denied denied = new Denied(binding.counter(), Math.max(1, permits));
    ServiceRate rate = ServiceRate.after(binding, denied.permits);
    long nanos = of(denied).nanosFor(client, rate, exact.nanos(), ticker.nanoTime());
    Verdict spread = binding.withRetry(new Retry.After(nanos));
    List<Verdict> verdicts =
        denial.verdicts().stream().map(one -> one.equals(binding) ? spread : one).toList();
    return Decision.counted(denial.source(), verdicts, denial.receipt());
  }

  private RetrySlots of(Denied denied) {
    synchronized (slots) {
      return slots.computeIfAbsent(denied, unknown -> new RetrySlots());
    }
  }
}

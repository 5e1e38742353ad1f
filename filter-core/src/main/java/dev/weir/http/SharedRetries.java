package dev.weir.http;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Retry;
import dev.weir.Ticker;
import dev.weir.Verdict;
import dev.weir.http.internal.response.RetrySlots;
import dev.weir.http.internal.response.ServiceRate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

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
final class SharedRetries {

  private static final int MOST_COUNTERS = 100;

  /**
   * The key of the slots. Requests of different sizes fit at different times, so each size has
   * slots.
   */
  private record Asked(Counter counter, long permits) {}

  private final Ticker ticker;
  private final Map<Asked, RetrySlots> slots =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, RetrySlots> eldest) {
          return size() > MOST_COUNTERS;
        }
      };

  SharedRetries(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Returns the same denial with the wait for this client.
   *
   * @param client called only if a shared counter binds
   */
  Decision spread(RuleDecision denied, Supplier<String> client) {
    if (!(denied.decision() instanceof Decision.Counted counted)) {
      return denied.decision();
    }
    Verdict binding = counted.binding();
    if (!(binding.retry() instanceof Retry.After exact)
        || !SubjectPart.isShared(binding.counter().subject())) {
      return counted;
    }
    Asked asked = new Asked(binding.counter(), permits(denied, binding.counter()));
    ServiceRate rate = ServiceRate.after(binding, asked.permits);
    long nanos = of(asked).nanosFor(client.get(), rate, exact.nanos(), ticker.nanoTime());
    return waiting(counted, binding, new Retry.After(nanos));
  }

  private RetrySlots of(Asked asked) {
    synchronized (slots) {
      return slots.computeIfAbsent(asked, unknown -> new RetrySlots());
    }
  }

  private static long permits(RuleDecision denied, Counter counter) {
    long permits = 0;
    for (RuleCharges charged : denied.charged()) {
      permits += charged.permitsOf(counter);
    }
    return Math.max(1, permits);
  }

  private static Decision waiting(Decision.Counted denial, Verdict binding, Retry later) {
    Verdict spread =
        new Verdict(binding.counter(), binding.remaining(), later, binding.resetAfterNanos());
    List<Verdict> verdicts =
        denial.verdicts().stream().map(one -> one.equals(binding) ? spread : one).toList();
    return Decision.counted(denial.source(), verdicts, denial.receipt());
  }
}

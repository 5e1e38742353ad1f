package dev.weir.bench.metric;

import dev.weir.TokenLimiter;
import dev.weir.bench.Metric;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.peer.Stores;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How often a caller was denied though its permit was due. Each caller has its own counter. It
 * calls in a loop and remembers the retry-after of each denial. A denial is late once that time has
 * passed since the answer arrived.
 */
final class DenyLate implements Metric {

  private static final String LIMIT = "50 per second, burst 1";
  private static final int THREADS = 8;
  private static final long NANOS = Duration.ofSeconds(3).toNanos();

  private record Denials(long all, long late) {

    private Denials plus(Denials other) {
      return new Denials(all + other.all, late + other.late);
    }
  }

  @Override
  public List<String> names() {
    return List.of("deny-late");
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(5);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (LimitStore store = Stores.denying(bench.redis().uri(), Duration.ofSeconds(1))) {
      TokenLimiter limiter = TokenLimiter.of("late", LIMIT, store);
      List<Future<Denials>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Subject subject = Subject.of("late-" + i);
        running.add(threads.submit(() -> request(limiter, subject)));
      }
      Denials found = new Denials(0, 0);
      for (Future<Denials> one : running) {
        found = found.plus(one.get());
      }
      return List.of(new Row("deny-late", found.late(), found.all(), "denials"));
    } finally {
      threads.shutdown();
    }
  }

  private static Denials request(TokenLimiter limiter, Subject subject) {
    long all = 0;
    long late = 0;
    long end = System.nanoTime() + NANOS;
    long due = Long.MAX_VALUE;
    for (long requested = System.nanoTime(); requested - end < 0; requested = System.nanoTime()) {
      Decision decision = limiter.tryAcquire(subject);
      if (decision.allowed()) {
        due = Long.MAX_VALUE;
      } else {
        all++;
        late += requested >= due ? 1 : 0;
        long retry = decision.retryAfter().orElseThrow().toNanos();
        due = Math.min(due, System.nanoTime() + retry);
      }
    }
    return new Denials(all, late);
  }
}

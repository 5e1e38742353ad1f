package dev.weir.bench.jmh;

import dev.weir.TokenLimiter;
import dev.weir.bench.peer.Keys;
import dev.weir.bench.peer.Numbers;
import dev.weir.bench.peer.Stores;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One decision of a hot key under lease, with its part of the round trips that fetch permits. */
@State(Scope.Benchmark)
public class LeasedDecisions {

  private static final Numbers HOT = new Numbers(10_000_000, Duration.ofSeconds(1), 10_000_000);
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final LimitStore store = Stores.leasing(System.getProperty("bench.redis", ""));
  private final TokenLimiter limiter = TokenLimiter.of(Keys.LIMIT, HOT.text(), store);
  private final Subject subject = Subject.of("user", Keys.subject(System.identityHashCode(store)));

  /** Acquires until the key is hot. */
  @Setup
  public void heat() {
    long due = System.nanoTime() + PATIENCE_NANOS;
    while (limiter.tryAcquire(subject).source() != Source.LEASE) {
      if (System.nanoTime() - due > 0) {
        throw new IllegalStateException("no decision out of a lease (expected: most)");
      }
    }
  }

  @TearDown
  public void close() {
    store.close();
  }

  @Benchmark
  public Decision leased() {
    return limiter.tryAcquire(subject);
  }
}

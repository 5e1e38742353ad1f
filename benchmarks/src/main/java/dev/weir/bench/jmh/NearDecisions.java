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

/** One decision of a key that Redis has denied, remembered in process. */
@State(Scope.Benchmark)
public class NearDecisions {

  private final LimitStore store =
      Stores.denying(System.getProperty("bench.redis", ""), Duration.ofSeconds(60));
  private final TokenLimiter limiter = TokenLimiter.of(Keys.LIMIT, Numbers.SCARCE.text(), store);
  private final Subject subject = Subject.of("user", Keys.subject(System.identityHashCode(store)));

  @Setup
  public void exhaust() {
    limiter.tryAcquire(subject);
    limiter.tryAcquire(subject);
    Source source = limiter.tryAcquire(subject).source();
    if (source != Source.DENY_CACHE) {
      throw new IllegalStateException("source: " + source + " (expected: DENY_CACHE)");
    }
  }

  @TearDown
  public void close() {
    store.close();
  }

  @Benchmark
  public Decision denied() {
    return limiter.tryAcquire(subject);
  }
}

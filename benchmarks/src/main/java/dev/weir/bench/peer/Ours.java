package dev.weir.bench.peer;

import dev.weir.TokenLimiter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Weir, as a programmer uses it. It counts decisions from an unexpected source. */
public final class Ours implements Contender {

  /** Long enough for a machine that others use too: an outage would be decided in process. */
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private final LimitStore store;
  private final TokenLimiter limiter;
  private final Set<Source> usual;
  private final Subject[] subjects;
  private final LongAdder strays = new LongAdder();

  /**
   * Prepares so many keys.
   *
   * @param usual the expected sources of decisions
   */
  public Ours(LimitStore store, int keys, Numbers numbers, Source... usual) {
    this.store = store;
    this.usual = Set.of(usual);
    limiter = TokenLimiter.of(Keys.LIMIT, numbers.text(), store).withDeadline(DEADLINE);
    subjects = new Subject[keys];
    for (int key = 0; key < keys; key++) {
      subjects[key] = Subject.of("user", Keys.subject(key));
    }
  }

  /** Creates one whose decisions are all made in Redis. A {@link Build} calls it. */
  public static Ours exact(String application, String uri, int keys, Numbers numbers) {
    return new Ours(Stores.exact(application, uri), keys, numbers, Source.REDIS);
  }

  @Override
  public boolean admits(int key) {
    Decision decision = limiter.tryAcquire(subjects[key]);
    if (!usual.contains(decision.source())) {
      strays.increment();
    }
    return decision.allowed();
  }

  /** Returns the number of unexpected decisions, such as in process where Redis was too slow. */
  public long strays() {
    return strays.sum();
  }

  @Override
  public void forgetStrays() {
    strays.reset();
  }

  /** Fails on any unexpected decision. */
  @Override
  public void requireNoStrays() {
    if (strays() > 0) {
      throw new IllegalStateException(
          "weir: %d decisions of others than %s (expected: 0)".formatted(strays(), usual));
    }
  }

  @Override
  public void close() {
    store.close();
  }
}

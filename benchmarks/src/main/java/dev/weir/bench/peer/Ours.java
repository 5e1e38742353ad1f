package dev.weir.bench.peer;

import dev.weir.Decision;
import dev.weir.LimitStore;
import dev.weir.Source;
import dev.weir.Subject;
import dev.weir.TokenLimiter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Weir, as a programmer uses it. It counts what was not decided where it should be. */
public final class Ours implements Contender {

  /** Long enough for a machine that others use too: an outage would be decided in process. */
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private final LimitStore store;
  private final TokenLimiter limiter;
  private final Set<Source> usual;
  private final Subject[] subjects;
  private final LongAdder strays = new LongAdder();

  /**
   * Asks for so many keys, made beforehand.
   *
   * @param usual how decisions are to come about
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

  @Override
  public boolean admits(int key) {
    Decision decision = limiter.acquire(subjects[key]);
    if (!usual.contains(decision.source())) {
      strays.increment();
    }
    return decision.allowed();
  }

  /** How many were decided otherwise than they should, as in process where Redis was too slow. */
  public long strays() {
    return strays.sum();
  }

  /** Counts anew, as after what Redis has to be asked for first. */
  public void forgetStrays() {
    strays.reset();
  }

  /** Fails when any was decided otherwise: the figures would be of something else. */
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

package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.ManualTime;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A counter in process when its limit becomes one of another kind. The whole permits that were
 * consumed count against the new limit as if they were taken just now.
 */
class LocalKindsModelTest {

  private static final int TRACES = 300;
  private static final int CHANGES = 20;

  private static final List<String> RATES = List.of("", ", burst ", " leaky, capacity ");
  private static final List<String> WINDOWS =
      List.of(" per 7s window", " per hour window UTC", " per 9s sliding", " concurrent, ttl 5s");

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_122, 0x5eed_f00d})
  void every_answer_is_the_models(long seed) {
    ModelTraces.each(TRACES, seed, LocalKindsModelTest::follow);
  }

  private static void follow(SplittableRandom random, String trace) {
    ManualTime time = new ManualTime();
    int nodes = 1 + random.nextInt(3);
    LocalLimitStore store =
        LocalLimitStore.of(LocalOptions.of().withNodes(nodes).withTime(time, time::instant));
    Limit limit = anyLimit(random);
    for (int i = 0; i < CHANGES; i++) {
      Charge some = charge(limit, 1 + random.nextLong(limit.capacity()));
      AcquireRequests.within(store, Duration.ofHours(1), some);
      time.advance(Duration.ofMillis(random.nextLong(2_000)));
      Limit next = anyLimit(random);
      if (!isAlike(limit, next)) {
        check(store, limit, next, nodes, trace + ", change " + i);
      }
      limit = next;
    }
  }

  private static void check(
      LocalLimitStore store, Limit limit, Limit next, int nodes, String trace) {
    long left = remaining(store, limit);
    long used = part(limit, nodes) - left;
    long expected = Math.max(0, part(next, nodes) - used);
    boolean flows = next instanceof LeakyBucket && used > 0;
    boolean isKnown = left > 0; // a used-up counter does not report by how much
    if (isKnown) {
      assertThat(remaining(store, next))
          .as("%s: %s becomes %s, by %d", trace, limit, next, nodes)
          .isEqualTo(flows ? 0 : expected);
    }
  }

  /** Carried over in another way. */
  private static boolean isAlike(Limit one, Limit other) {
    boolean sameWindows =
        one instanceof FixedWindow first
            && other instanceof FixedWindow second
            && first.window().equals(second.window());
    boolean otherwise = one.getClass().equals(other.getClass()) && !(one instanceof FixedWindow);
    return sameWindows || otherwise;
  }

  private static long part(Limit limit, int nodes) {
    boolean flows = limit instanceof TokenBucket || limit instanceof LeakyBucket;
    return Math.max(1, (limit.capacity() + (flows ? nodes - 1 : 0)) / nodes);
  }

  private static long remaining(LocalLimitStore store, Limit limit) {
    return AcquireRequests.peek(store, charge(limit, limit.capacity())).binding().remaining();
  }

  private static Charge charge(Limit limit, long permits) {
    return new Charge(new Counter("limit", limit, Subject.of("model")), permits);
  }

  private static Limit anyLimit(SplittableRandom random) {
    long capacity = 1 + random.nextLong(1L << random.nextInt(9));
    if (random.nextBoolean()) {
      return Limit.parse(capacity + WINDOWS.get(random.nextInt(WINDOWS.size())));
    }
    String shape = RATES.get(random.nextInt(RATES.size()));
    return Limit.parse(
        (1 + random.nextInt(3)) + " per second" + (shape.isEmpty() ? "" : shape + capacity));
  }
}

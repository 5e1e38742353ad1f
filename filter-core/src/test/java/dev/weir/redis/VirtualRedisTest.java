package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.redis.VirtualRedis.Step;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The Redis of simulations answers as the store that calls the production drivers. */
class VirtualRedisTest {

  private static final int STEPS = 500;
  private static final long START_MICROS = 1_800_000_000_000_000L;
  private static final Duration LONG = Duration.ofSeconds(20);

  private final AtomicReference<Instant> clock = new AtomicReference<>(Instant.EPOCH);
  private final Counter counter =
      new Counter(
          "limit",
          Limit.parse("3000 per second, burst 300"),
          Subject.of(UUID.randomUUID().toString()));
  private final SplittableRandom random = new SplittableRandom(3);
  private Mode.Leased settled = Mode.Leased.FIRST;

  @Test
  void it_answers_as_the_drivers_do() throws Exception {
    RedisServer server = RedisServer.shared(RedisVersion.embedded());
    RedisOptions options =
        RedisOptions.of(server.uri(), "virtual")
            .withClock(RedisOptions.Clock.NODE)
            .withDeadline(LONG);
    try (VirtualRedis virtual = new VirtualRedis(server);
        RedisLimitStore store =
            RedisLimitStore.connect(options, LimiterListener.NONE, clock::get)) {
      long nowMicros = START_MICROS;
      for (int i = 0; i < STEPS; i++) {
        nowMicros += random.nextInt(6_000);
        clock.set(Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000));
        follow(virtual, store, nowMicros);
      }
    }
  }

  private void follow(VirtualRedis virtual, RedisLimitStore store, long nowMicros)
      throws Exception {
    if (random.nextInt(10) == 0 && settled.name() > 0) {
      Mode.Leased end =
          new Mode.Leased(settled.name(), settled.out(), 0, settled.kept() + settled.back());
      virtual.run(List.of(new Step.End(nowMicros, counter, end)));
      store.adjust(new Adjustment.EndLease(counter, end), Deadline.after(LONG));
      settled = Mode.Leased.FIRST;
      return;
    }
    Mode mode = random.nextBoolean() ? Mode.EXACTLY : settled;
    List<Charge> charges = List.of(new Charge(counter, 1 + random.nextInt(40)));
    AcquireRequest request = new AcquireRequest(charges, mode, OnOutage.DENY, Deadline.after(LONG));
    Decision answer = virtual.run(List.of(new Step.Decide(nowMicros, request))).get(0);
    assertThat(answer).isEqualTo(store.decide(request));
    if (answer instanceof Decision.Lent lent) {
      long out = lent.permits() + (lent.carried() ? settled.kept() : 0);
      settled = new Mode.Leased(lent.name(), out, out / 2, out / 4);
    }
  }
}

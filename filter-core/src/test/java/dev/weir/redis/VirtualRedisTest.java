package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.redis.VirtualRedis.Reply;
import dev.weir.redis.VirtualRedis.Step;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore.Lending;
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
  private Lending.Settlement settled = Lending.Settlement.NONE;

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
      Lending.Ending end =
          new Lending.Ending(
              counter,
              new Lending.Settlement(
                  settled.name(), settled.out(), 0, settled.kept() + settled.back()));
      virtual.run(List.of(new Step.End(nowMicros, end)));
      store.lending().orElseThrow().end(end, Deadline.after(LONG));
      settled = Lending.Settlement.NONE;
      return;
    }
    boolean isLent = random.nextBoolean();
    Charge charge = new Charge(counter, 1 + random.nextInt(40));
    if (isLent) {
      Lending.Lease lease =
          store.lending().orElseThrow().lend(charge, settled, Deadline.after(LONG));
      assertThat(virtual.run(List.of(new Step.Lend(nowMicros, charge, settled))))
          .containsExactly(new Reply.Lent(lease));
      long out = lease.permits() + (lease.carried() ? settled.kept() : 0);
      settled = new Lending.Settlement(lease.name(), out, out / 2, out / 4);
    } else {
      AcquireRequest request =
          new AcquireRequest(List.of(charge), OnOutage.DENY, Deadline.after(LONG));
      assertThat(virtual.run(List.of(new Step.Decide(nowMicros, request))))
          .containsExactly(new Reply.Decided(store.decide(request)));
    }
  }
}

package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Limit;
import dev.weir.Subject;
import dev.weir.internal.CounterKey;
import dev.weir.internal.CounterKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShardTest {

  private final AtomicInteger readings = new AtomicInteger();
  private final InstantSource calendar =
      () -> {
        readings.incrementAndGet();
        return Instant.EPOCH;
      };
  private final Moment now = new Moment(0, 0, calendar);

  /** A calendar's window reads the date when it is opened, so its readings count openings. */
  @Test
  void an_entry_is_opened_anew_once_when_its_outage_is_over() {
    Limit limit = Limit.parse("9 per minute window UTC");
    Share share = Share.of(limit, 1, 1);
    share.open(now);
    int ofOneOpening = readings.get();
    assertThat(ofOneOpening).isPositive();
    Shard shard = new Shard(new Allotment(() -> 10, () -> 1));
    CounterKey key = new CounterKeys().of(new Counter("limit", limit, Subject.of("alice")));
    shard.add(new Entry(key, "limit", share, share.open(now), now));
    shard.hearOfGap(Long.MAX_VALUE);

    readings.set(0);
    assertThat(shard.find(key, now)).isNull();
    assertThat(readings.get()).isEqualTo(ofOneOpening);
    assertThat(shard.size()).isZero();
  }
}

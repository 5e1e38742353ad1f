package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.FixedWindow.CalendarWindow;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A limit that is made from numbers is the one that its text describes. */
class LimitFactoriesTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void each_is_its_text() {
    Map<String, Limit> made =
        Map.ofEntries(
            Map.entry("100 per second", TokenBucket.of(100, SECOND)),
            Map.entry("100 per second, burst 200", TokenBucket.of(100, SECOND).withBurst(200)),
            Map.entry("10 per second", TokenBucket.perSecond(10)),
            Map.entry("10 per minute", TokenBucket.perMinute(10)),
            Map.entry("10 per hour", TokenBucket.perHour(10)),
            Map.entry("10 per day, burst 3", TokenBucket.perDay(10).withBurst(3)),
            Map.entry("2 per second leaky", LeakyBucket.of(2, SECOND)),
            Map.entry(
                "2 per second leaky, capacity 20", LeakyBucket.of(2, SECOND).withCapacity(20)),
            Map.entry("5 per second window", FixedWindow.of(5, SECOND)),
            Map.entry(
                "5 per day window Europe/Berlin",
                FixedWindow.of(5, CalendarWindow.Unit.DAY, BERLIN)),
            Map.entry("30 per 10s sliding", SlidingWindow.of(30, Duration.ofSeconds(10))),
            Map.entry("7 per second sliding", SlidingWindow.perSecond(7)),
            Map.entry("7 per minute sliding", SlidingWindow.perMinute(7)),
            Map.entry("7 per hour sliding", SlidingWindow.perHour(7)),
            Map.entry("7 per day sliding", SlidingWindow.perDay(7)),
            Map.entry("4 concurrent", Concurrency.of(4)),
            Map.entry("4 concurrent, ttl 10s", Concurrency.of(4, Duration.ofSeconds(10))));

    assertThat(made).allSatisfy((text, limit) -> assertThat(limit).isEqualTo(Limit.parse(text)));
    assertThat(List.copyOf(made.values()))
        .extracting(Limit::algorithm)
        .contains(Limit.Algorithm.values());
  }
}

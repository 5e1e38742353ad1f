package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.FixedWindow.CalendarWindow.Unit;
import dev.weir.limit.FixedWindow.FirstRequestWindow;
import dev.weir.limit.Limit.Rate;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit in one line: what is read, and how it prints. */
class LimitGrammarTest {

  private static final List<Unit> UNITS = List.of(Unit.values());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // written                      | permits  | period   | burst    | printed
        "100 per second                 | 100      | PT1S     | 100      | 100 per second",
        "100/s                          | 100      | PT1S     | 100      | 100 per second",
        "100 / s                        | 100      | PT1S     | 100      | 100 per second",
        "100/s, burst 200               | 100      | PT1S     | 200      | 100 per second, burst 200",
        "100 per second, burst 300      | 100      | PT1S     | 300      | 100 per second, burst 300",
        "100 per second,burst 100       | 100      | PT1S     | 100      | 100 per second",
        "100 per second , burst 50      | 100      | PT1S     | 50       | 100 per second, burst 50",
        "5 per minute                   | 5        | PT1M     | 5        | 5 per minute",
        "20 per second, burst 40        | 20       | PT1S     | 40       | 20 per second, burst 40",
        "10 per 10s                     | 10       | PT10S    | 10       | 10 per 10 seconds",
        "10 per 10 s                    | 10       | PT10S    | 10       | 10 per 10 seconds",
        "1 per 30 days                  | 1        | PT720H   | 1        | 1 per 30 days",
        "1 per 366 days                 | 1        | PT8784H  | 1        | 1 per 366 days",
        "1 per 52 weeks                 | 1        | PT8736H  | 1        | 1 per 364 days",
        "7 per week                     | 7        | PT168H   | 7        | 7 per week",
        "7 per 7 days                   | 7        | PT168H   | 7        | 7 per week",
        "10_000_000 per second          | 10000000 | PT1S     | 10000000 | 10000000 per second",
        "10 per us                      | 10       | PT0.000001S | 10    | 10 per microsecond",
        "1_0_0 per 1_0 ms               | 100      | PT0.01S  | 100      | 100 per 10 milliseconds",
        "3 per µs                       | 3        | PT0.000001S | 3     | 3 per microsecond",
        "3 per 90 min                   | 3        | PT1H30M  | 3        | 3 per 90 minutes",
        "3/3 hours                      | 3        | PT3H     | 3        | 3 per 3 hours",
        "3 PER SECOND, BURST 4          | 3        | PT1S     | 4        | 3 per second, burst 4",
        "+3 per second                  | 3        | PT1S     | 3        | 3 per second",
        "3 per 1000 milliseconds        | 3        | PT1S     | 3        | 3 per second",
        "3 per 0060 secs                | 3        | PT1M     | 3        | 3 per minute",
        "100 MB per minute              | 100000000 | PT1M    | 100000000 | 100000000 per minute",
        "100mB/minute                   | 100000000 | PT1M    | 100000000 | 100000000 per minute",
        "64 KiB per second, burst 1 MiB | 65536    | PT1S     | 1048576  | 65536 per second, burst 1048576",
        "64kB/s, burst 2 kB             | 64000    | PT1S     | 2000     | 64000 per second, burst 2000",
        "1_000 bytes per s, burst 2 B   | 1000     | PT1S     | 2        | 1000 per second, burst 2",
        "5 GB per day                   | 5000000000 | PT24H  | 5000000000 | 5000000000 per day",
        "3 GiB per day, burst 1 TB      | 3221225472 | PT24H  | 1000000000000"
            + " | 3221225472 per day, burst 1000000000000",
      })
  void a_token_bucket_is_read_and_prints_back(
      String written, long permits, Duration period, long burst, String printed) {
    assertReads(written, new TokenBucket(new Rate(permits, period), burst), printed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1000 per day window            | 1000   | PT24H    | 1000 per day window",
        "1000/day window                | 1000   | PT24H    | 1000 per day window",
        "5 per 13 seconds WINDOW        | 5      | PT13S    | 5 per 13 seconds window",
        "2 TiB per day window           | 2199023255552 | PT24H | 2199023255552 per day window",
        "1 per 366d window              | 1      | PT8784H  | 1 per 366 days window",
        "9_007_199_254_740_991 per us window | 9007199254740991 | PT0.000001S"
            + " | 9007199254740991 per microsecond window",
      })
  void a_fixed_window_is_read_and_prints_back(
      String written, long quota, Duration length, String printed) {
    assertReads(written, new FixedWindow(quota, new FirstRequestWindow(length)), printed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100_000 per day window Europe/Berlin | 100000 | DAY   | Europe/Berlin",
        "100 per 1 day window Europe/Berlin   | 100    | DAY   | Europe/Berlin",
        "100/s window UTC                     | 100    | SECOND | UTC",
        "5 GB per day window Europe/Berlin    | 5000000000 | DAY | Europe/Berlin",
        "100/min window Asia/Kolkata          | 100    | MINUTE | Asia/Kolkata",
        "100 per hour window +05:45           | 100    | HOUR  | +05:45",
        "100 per week window Z                | 100    | WEEK  | Z",
        "100 per month window America/Argentina/Buenos_Aires | 100 | MONTH"
            + " | America/Argentina/Buenos_Aires",
        "100 per MONTHS window Etc/GMT+2      | 100    | MONTH | Etc/GMT+2",
        "100 per month window UTC-03:30       | 100    | MONTH | UTC-03:30",
      })
  void a_window_of_the_calendar_is_read_and_prints_back(
      String written, long quota, Unit unit, ZoneId zone) {
    String name = unit.name().toLowerCase(Locale.ROOT);
    assertReads(
        written,
        new FixedWindow(quota, new CalendarWindow(unit, zone)),
        quota + " per " + name + " window " + zone.getId());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4 concurrent                    | 4    | PT30S    | 4 concurrent",
        "4 concurrent, ttl 30s         | 4    | PT30S    | 4 concurrent",
        "1_000 CONCURRENT, TTL minute  | 1000 | PT1M     | 1000 concurrent, ttl 1 minute",
        "1 concurrent,ttl 1500 ms      | 1    | PT1.5S   | 1 concurrent, ttl 1500 milliseconds",
        "2 concurrent, ttl 366 days    | 2    | PT8784H  | 2 concurrent, ttl 366 days",
      })
  void a_concurrency_limit_is_read_and_prints_back(
      String written, long permits, Duration ttl, String printed) {
    assertReads(written, new Concurrency(permits, ttl), printed);
  }

  private static void assertReads(String written, Limit expected, String printed) {
    assertThat(Limit.parse(written)).isEqualTo(expected).hasToString(printed);
    assertThat(Limit.parse(printed)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatever_is_printed_is_read_again_as_the_same(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] zones = ZoneId.getAvailableZoneIds().toArray(String[]::new);
    for (int i = 0; i < 3_000; i++) {
      Limit limit = any(zones, random);
      assertThat(Limit.parse(limit.toString())).isEqualTo(limit).hasToString(limit.toString());
      assertThat(Limit.parse("  " + limit.toString().replace(" ", "  \t") + " ")).isEqualTo(limit);
    }
  }

  private static Limit any(String[] zones, SplittableRandom random) {
    Duration span = Duration.ofNanos(1_000 * (1 + anyUpTo(366L * 86_400_000_000L - 1, random)));
    return switch (random.nextInt(4)) {
      case 0 -> anyBucket(random);
      case 1 ->
          new Concurrency(
              1 + random.nextLong(1_000), span.toSeconds() > 0 ? span : span.plusSeconds(1));
      case 2 -> new FixedWindow(1 + anyUpTo(1L << 52, random), new FirstRequestWindow(span));
      default ->
          new FixedWindow(
              1 + anyUpTo(1L << 52, random),
              new CalendarWindow(
                  UNITS.get(random.nextInt(UNITS.size())),
                  ZoneId.of(zones[random.nextInt(zones.length)])));
    };
  }

  private static Limit anyBucket(SplittableRandom random) {
    while (true) {
      Duration span = Duration.ofNanos(1_000 * (1 + anyUpTo(366L * 86_400_000_000L - 1, random)));
      try {
        Rate rate = new Rate(1 + anyUpTo(100_000_000, random), span);
        return new TokenBucket(rate, 1 + anyUpTo(1_000_000, random));
      } catch (IllegalArgumentException outOfRange) {
        // another one
      }
    }
  }

  private static long anyUpTo(long most, SplittableRandom random) {
    return random.nextLong(1 + (most >> random.nextInt(40)));
  }
}

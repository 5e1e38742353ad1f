package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.CalendarWindow.Unit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit in one line: what is read, how it prints, and what is said of what is no limit. */
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
      })
  void a_token_bucket_is_read_and_prints_back(
      String written, long permits, Duration period, long burst, String printed) {
    Limit limit = Limit.parse(written);
    assertThat(limit).isEqualTo(new TokenBucket(new Rate(permits, period), burst));
    assertThat(limit).hasToString(printed);
    assertThat(Limit.parse(printed)).isEqualTo(limit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1000 per day window            | 1000   | PT24H    | 1000 per day window",
        "1000/day window                | 1000   | PT24H    | 1000 per day window",
        "5 per 13 seconds WINDOW        | 5      | PT13S    | 5 per 13 seconds window",
        "1 per 366d window              | 1      | PT8784H  | 1 per 366 days window",
        "9_007_199_254_740_991 per us window | 9007199254740991 | PT0.000001S"
            + " | 9007199254740991 per microsecond window",
      })
  void a_fixed_window_is_read_and_prints_back(
      String written, long quota, Duration length, String printed) {
    Limit limit = Limit.parse(written);
    assertThat(limit).isEqualTo(new FixedWindow(quota, new FirstRequestWindow(length)));
    assertThat(limit).hasToString(printed);
    assertThat(Limit.parse(printed)).isEqualTo(limit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100_000 per day window Europe/Berlin | 100000 | DAY   | Europe/Berlin",
        "100 per 1 day window Europe/Berlin   | 100    | DAY   | Europe/Berlin",
        "100/s window UTC                     | 100    | SECOND | UTC",
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
    Limit limit = Limit.parse(written);
    assertThat(limit).isEqualTo(new FixedWindow(quota, new CalendarWindow(unit, zone)));
    assertThat(limit)
        .hasToString(
            quota + " per " + unit.name().toLowerCase(Locale.ROOT) + " window " + zone.getId());
    assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
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
    return switch (random.nextInt(3)) {
      case 0 -> anyBucket(random);
      case 1 -> new FixedWindow(1 + anyUpTo(1L << 52, random), new FirstRequestWindow(span));
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // no limit at all
        "\"\"                           | limit   | a limit such as '100 per second, burst 200'",
        "\"   \"                        | limit   | a limit such as",
        "lots                           | limit   | a limit such as",
        "per second                     | limit   | a limit such as",
        "/s                             | limit   | a limit such as",
        "unlimited                      | limit   | a limit such as",
        "null                           | limit   | a limit such as",
        "{}                             | limit   | a limit such as",
        "٣ per second                   | limit   | a limit such as",
        "१०० per second                 | limit   | a limit such as",
        "NaN per second                 | limit   | a limit such as",
        "Infinity per second            | limit   | a limit such as",
        "∞/s                            | limit   | a limit such as",
        "_1 per second                  | limit   | a limit such as",
        ".5 per second                  | limit   | a limit such as",
        "- 1 per second                 | limit   | a limit such as",
        // the permits
        "0 per second                   | permits | > 0",
        "-1 per second                  | permits | > 0",
        "-9223372036854775808 per day   | permits | > 0",
        "1.5 per second                 | permits | a whole number",
        "1. per second                  | permits | a whole number",
        "1_ per second                  | permits | a whole number",
        "1__0 per second                | permits | a whole number",
        "1.000.000 per second           | permits | a whole number",
        "9223372036854775808 per second | permits | a whole number below 2^53",
        "99999999999999999999999 per s  | permits | a whole number below 2^53",
        // between permits and period
        "100                            | limit   | 'per' or '/' after the permits",
        "100 second                     | limit   | 'per' or '/' after the permits",
        "100 a second                   | limit   | 'per' or '/' after the permits",
        "100 pro second                 | limit   | 'per' or '/' after the permits",
        "100 persecond                  | limit   | 'per' or '/' after the permits",
        "100s                           | limit   | 'per' or '/' after the permits",
        "1e3 per second                 | limit   | 'per' or '/' after the permits",
        "0x10 per second                | limit   | 'per' or '/' after the permits",
        "1,000 per second               | limit   | 'per' or '/' after the permits",
        "100 \\ second                  | limit   | 'per' or '/' after the permits",
        "100\0 per second               | limit   | 'per' or '/' after the permits",
        // the unit
        "100 per                        | limit   | a unit of time after 'per'",
        "100/                           | limit   | a unit of time after 'per'",
        "100 per 10                     | limit   | a unit of time after 'per'",
        "100 per per second             | unit    | us, ms, s, m, h, d, w or their full words",
        "100//s                         | limit   | a unit of time after 'per'",
        "100 per ,                      | limit   | a unit of time after 'per'",
        "100 per parsec                 | unit    | us, ms, s, m, h, d, w or their full words",
        "100 per secnod                 | unit    | did you mean 'second'?",
        "100 per minit                  | unit    | did you mean 'minute'?",
        "100 per 2 horus                | unit    | did you mean 'hours'?",
        "100 per dya                    | unit    | did you mean 'day'?",
        "100 per PT10S                  | unit    | us, ms, s, m, h, d, w or their full words",
        "100 per year                   | unit    | us, ms, s, m, h, d, w or their full words",
        "100 per ns                     | unit    | us, ms, s, m, h, d, w or their full words",
        "100 per window                 | unit    | us, ms, s, m, h, d, w or their full words",
        // the period
        "100 per 0 seconds              | period  | > 0",
        "100 per -5 s                   | period  | > 0",
        "100 per 1.5 seconds            | period  | a whole number",
        "100 per 0.5s                   | period  | a whole number",
        "100 per 99999999999999999999 s | period  | a whole number below 2^53",
        "100 per 9223372036854775807 w  | period  | at most 366 days",
        "100 per 367 days               | period  | at most 366 days",
        "100 per 53 weeks               | period  | at most 366 days",
        "100 per 367 days window        | window  | at most 366 days",
        "100 per month                  | period  | '1000 per month window Europe/Berlin'",
        "100 per month window           | period  | '1000 per month window Europe/Berlin'",
        "100 per 2 days window UTC      | period  | one second, minute, hour, day, week or month",
        "100 per 2 months window UTC    | period  | one second, minute, hour, day, week or month",
        "100 per ms window UTC          | period  | one second, minute, hour, day, week or month",
        // the rate
        "11 per us                      | rate    | at most 10 million permits per second",
        "10_000_001 per second          | rate    | at most 10 million permits per second",
        "9223372036854775807 per day    | rate    | at most 10 million permits per second",
        // the burst
        "100 per second, burst          | limit   | a whole number after 'burst'",
        "100 per second, burst many     | limit   | a whole number after 'burst'",
        "100 per second,                | limit   | 'burst' after the comma",
        "100 per second, 200            | limit   | 'burst' after the comma",
        "100 per second, bursts 200     | limit   | 'burst' after the comma",
        "100 per second, burst 0        | burst   | > 0",
        "100 per second, burst -1       | burst   | > 0",
        "100 per second, burst 1.5      | burst   | a whole number",
        "100 per second, burst 9999999999999999999 | burst | a whole number below 2^53",
        "1 per 7us, burst 9007199254740991 | burst | counted exactly",
        "1 per 366 days, burst 1_000_000   | burst | refills within 285 years",
        // what follows
        "100 per second burst 200       | limit   | a burst stands after a comma",
        "100 per second brust 200       | limit   | did you mean 'burst'?",
        "100 per day windwo             | limit   | did you mean 'window'?",
        "100 per second per user        | limit   | nothing after the limit, but found 'per user'",
        "100 per second, burst 5 window | limit   | nothing after the limit, but found 'window'",
        "100 per second;                | limit   | nothing after the limit, but found ';'",
        "100 per second 200             | limit   | nothing after the limit, but found '200'",
        // the window
        "9_007_199_254_740_992 per day window | quota | below 2^53",
        "0 per day window               | quota   | > 0",
        "-5 per day window UTC          | quota   | > 0",
        "5 per day window Europe/Berln  | zone    | did you mean 'Europe/Berlin'?",
        "5 per day window europe/berlin | zone    | did you mean 'Europe/Berlin'?",
        "5 per day window Asia/Calcuta  | zone    | did you mean 'Asia/Calcutta'?",
        "5 per day window Mars          | zone    | a time zone such as UTC or Europe/Berlin",
        "5 per day window UTC, burst 3  | zone    | a time zone such as UTC or Europe/Berlin",
        "5 per day window +25:00        | zone    | a time zone such as UTC or Europe/Berlin",
        "5 per day window window        | zone    | a time zone such as UTC or Europe/Berlin",
      })
  void what_is_no_limit_is_told_by_field_and_expectation(
      String written, String field, String expectation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse(written))
        .withMessageStartingWith(field + ": ")
        .withMessageContaining("(expected: ")
        .withMessageContaining(expectation);
  }

  @Test
  void a_message_names_what_stands_there() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse("10 per fortnihgt"))
        .withMessage("unit: 'fortnihgt' (expected: us, ms, s, m, h, d, w or their full words)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse("0 per second"))
        .withMessage("permits: 0 (expected: > 0)");
  }

  @Test
  void a_message_breaks_no_line_and_has_an_end() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse("1 per s\r\n2026 WARN forged"))
        .withMessageNotContainingAny("\r", "\n")
        .withMessageContaining("\\u000d\\u000a2026");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse("x".repeat(1 << 20)))
        .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(500));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse("1 per " + "s".repeat(1 << 20)))
        .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(500));
  }
}

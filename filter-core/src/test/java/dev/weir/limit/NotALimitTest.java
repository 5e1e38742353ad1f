package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a text that is no limit. */
class NotALimitTest {

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
        ".5 per second                  | permits | did you mean '1 per 2 seconds'?",
        "- 1 per second                 | limit   | a limit such as",
        // the permits
        "0 per second                   | permits | > 0",
        "-1 per second                  | permits | > 0",
        "-9223372036854775807 TB per day | permits | at least 0",
        "-9223372036854775808 per day   | permits | > 0",
        "1.5 per second                 | permits | did you mean '3 per 2 seconds'?",
        "0.0055 per second              | permits | did you mean '11 per 2000 seconds'?",
        "0.1 per 10s, burst 5           | permits | did you mean '1 per 100 s, burst 5'?",
        "0.5 / day window               | permits | did you mean '1 per 2 days window'?",
        "0.5 per day window UTC         | permits | a whole number",
        "0.001 per day                  | permits | a whole number",
        "1.000 per minute               | permits | a whole number",
        "0.0 per second                 | permits | a whole number",
        "0.5 concurrent                 | permits | a whole number",
        "1. per second                  | permits | a whole number",
        "1_ per second                  | permits | a whole number",
        "1__0 per second                | permits | a whole number",
        "1.000.000 per second           | permits | a whole number",
        "9223372036854775808 per second | permits | a whole number below 2^53",
        "99999999999999999999999 per s  | permits | a whole number below 2^53",
        // sizes
        "0 MB per second                | permits | > 0",
        "1.5 GB per day                 | permits | did you mean '3 GB per 2 days'?",
        "100 Mb per minute              | unit    | with a capital B: a small one means bits",
        "100 kib per minute             | unit    | with a capital B",
        "100 MBit per minute            | limit   | 'per' or '/' after the permits",
        "100 MBs per minute             | limit   | did you mean 'MB'?",
        "9007199254740992 B per day     | permits | less than 2^53 bytes",
        "9008 TB per day window         | permits | less than 2^53 bytes",
        "100 MB per minute, burst 200   | burst   | a size such as 'burst 1 MB'",
        "100 per minute, burst 200 MB   | burst   | a number without a unit",
        "1 MB/s leaky, capacity 2       | capacity | a size such as 'capacity 1 MB'",
        "4 MB concurrent                | limit   | a number of permits, as in '4 concurrent'",
        // between permits and period
        "100                            | limit   | 'per' or '/' after the permits",
        "100 second                     | limit   | 'per' or '/' after the permits",
        "100 a second                   | limit   | 'per' or '/' after the permits",
        "100 pro second                 | limit   | 'per' or '/' after the permits",
        "100 persecond                  | limit   | 'per' or '/' after the permits",
        "100s                           | limit   | 'per' or '/' after the permits",
        "1e3 per second                 | limit   | 'per' or '/' after the permits",
        "0x10 per second                | limit   | 'per' or '/' after the permits",
        "1,000 per second               | permits | a number without commas, as in 1_000",
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
        "100 per year                   | unit    | days, as in '1000 per 365 days'",
        "100 per 2 years                | unit    | days, as in '1000 per 365 days'",
        "100 per year window UTC        | unit    | days, as in '1000 per 365 days'",
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
        "100 per second burst 200       | limit   | a burst follows a comma",
        "100 per second brust 200       | limit   | did you mean 'burst'?",
        "100 per day windwo             | limit   | did you mean 'window'?",
        "100 per second per user        | limit   | nothing after the limit, but found 'per user'",
        "100 per second, burst 5 window | limit   | nothing after the limit, but found 'window'",
        "100 per second;                | limit   | nothing after the limit, but found ';'",
        "100 per second 200             | limit   | nothing after the limit, but found '200'",
        // what is held
        "0 concurrent                   | concurrent | 1 to 1000",
        "1001 concurrent                | concurrent | 1 to 1000",
        "4 concurent                    | limit   | did you mean 'concurrent'?",
        "4 concurrent ttl 5s            | limit   | a ttl follows a comma",
        "4 concurrent, leese 5s         | limit   | 'ttl' after the comma",
        "4 concurrent, lease 5s         | limit   | 'lease' is now 'ttl'",
        "4 concurrent, ttl              | limit   | a unit of time after 'ttl'",
        "4 concurrent, ttl 5            | limit   | a unit of time after 'ttl'",
        "4 concurrent, ttl 0s           | ttl     | > 0",
        "4 concurrent, ttl 1 month      | ttl     | a month only in a calendar",
        "4 concurrent, ttl 999ms        | ttl     | at least 1 second",
        "4 concurrent, ttl 367 days     | ttl     | at most 366 days",
        "4 concurrent, ttl 5s, burst 3   | limit   | nothing after the limit, but found ', burst 3'",
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

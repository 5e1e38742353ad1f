package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.Units;
import dev.weir.internal.BucketUnits;
import dev.weir.limit.Limit.Rate;
import java.math.BigInteger;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bucket is counted in integers that are exact below 2^53, at the finest tick that is. */
class TokenBucketTest {

  private static final BigInteger EXACT = BigInteger.TWO.pow(53);

  private static BucketUnits units(String limit) {
    return Units.of(Limit.parse(limit));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // limit                            | p        | q             | tick
        "3 per second, burst 6              | 3        | 1000000       | 1",
        "10 per second                      | 1        | 100000        | 1",
        "10_000_000 per second              | 10       | 1             | 1",
        "1 per 30 days                      | 1        | 2592000000000 | 1",
        "1 per 30 days, burst 1737          | 1        | 2592000000000 | 1",
        "1 per 30 days, burst 1738          | 1        | 2592000000    | 1000",
        "99_999_989 per day, burst 1000     | 99999989 | 86400000000   | 1",
        "99_999_989 per day, burst 10_000_000 | 99999989 | 86400000    | 1000",
        "99_999_989 per day                 | 99999989 | 86400         | 1000000",
      })
  void a_rate_is_in_lowest_terms_at_the_finest_tick_that_is_exact(
      String limit, long p, long q, long tickMicros) {
    assertThat(units(limit)).isEqualTo(new BucketUnits(p, q, tickMicros));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void units_are_the_rate_exactly_and_stay_below_2_to_the_53(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      long permits = 1 + random.nextLong(1L << random.nextInt(1, 40));
      long micros = 1 + random.nextLong(1L << random.nextInt(1, 44));
      long burst = 1 + random.nextLong(1L << random.nextInt(1, 40));
      TokenBucket bucket;
      try {
        bucket = new TokenBucket(new Rate(permits, Duration.ofNanos(micros * 1_000)), burst);
      } catch (IllegalArgumentException outOfRange) {
        assertThat(outOfRange).hasMessageContaining("(expected: ");
        continue;
      }
      checkUnits(bucket, permits, micros, burst);
    }
  }

  private static void checkUnits(TokenBucket bucket, long permits, long micros, long burst) {
    BucketUnits units = Units.of(bucket);
    BigInteger p = BigInteger.valueOf(units.p());
    BigInteger q = BigInteger.valueOf(units.q());
    BigInteger tick = BigInteger.valueOf(units.tickMicros());
    // p/q permits per tick, and permits/micros per microsecond, are the same
    assertThat(p.multiply(BigInteger.valueOf(micros)))
        .isEqualTo(q.multiply(BigInteger.valueOf(permits)).multiply(tick));
    assertThat(p.gcd(q)).isEqualTo(BigInteger.ONE);
    BigInteger full = q.multiply(BigInteger.valueOf(burst));
    assertThat(p).isLessThan(EXACT);
    assertThat(full.shiftLeft(1)).isLessThan(EXACT);
    BigInteger[] ticks = full.divideAndRemainder(p);
    BigInteger up = ticks[0].add(BigInteger.valueOf(ticks[1].signum())).multiply(tick);
    assertThat(bucket.timeToFull()).isEqualTo(Duration.ofNanos(1_000).multipliedBy(up.longValue()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3 per second, burst 6   | PT2S",
        "10 per second           | PT1S",
        "3 per second, burst 1   | PT0.333334S",
        "1 per 30 days           | PT720H",
        "10 per us, burst 1      | PT0.000001S",
        "10_000_000 per second   | PT1S",
      })
  void the_time_to_full_is_rounded_up_to_the_tick(String limit, Duration timeToFull) {
    assertThat(Limit.parse(limit).timeToFull()).isEqualTo(timeToFull);
  }

  @Test
  void an_empty_bucket_returns_its_permits_when_the_essay_says() {
    BucketUnits units = units("3 per second, burst 6");
    assertThat(6 * units.q()).isEqualTo(6_000_000);
    assertThat(units.timeToRefill(1)).isEqualTo(Duration.ofNanos(333_334_000));
    assertThat(units.timeToRefill(2)).isEqualTo(Duration.ofNanos(666_667_000));
    assertThat(units.timeToRefill(3)).isEqualTo(Duration.ofSeconds(1));
    assertThat(units.timeToRefill(0)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0                   | burst: 0 (expected: > 0)",
        "-1                  | burst: -1 (expected: > 0)",
        "9223372036854775807 | burst: 9223372036854775807 (expected: a burst that can be counted"
            + " exactly at 3 per second, below 2^53 units)",
        "30_000_000_000      | burst: 30000000000 (expected: a burst that 3 per second refills"
            + " within 285 years)",
      })
  void a_burst_out_of_range_is_told_by_field_and_expectation(String burst, String message) {
    long permits = Long.parseLong(burst.replace("_", ""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TokenBucket(new Rate(3, Duration.ofSeconds(1)), permits))
        .withMessage(message);
  }

  @Test
  void buckets_of_the_same_numbers_are_the_same() {
    TokenBucket bucket = new TokenBucket(new Rate(2, Duration.ofSeconds(1)), 4);
    assertThat(bucket)
        .isEqualTo(Limit.parse("2 per second, burst 4"))
        .hasSameHashCodeAs(Limit.parse("2/s, burst 4"))
        .isNotEqualTo(Limit.parse("2 per second"))
        .isNotEqualTo(Limit.parse("4 per 2s, burst 4"))
        .isNotEqualTo(Limit.parse("2 per second window"));
    assertThat(bucket.capacity()).isEqualTo(4);
    assertThat(TokenBucket.of(bucket.rate()).burst()).isEqualTo(2);
  }
}

package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualTime;
import dev.weir.redis.internal.client.OutageLog.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the log has about outages, however often they come. */
class OutageLogTest {

  private static final String REDIS = "cache:6379";
  private static final String OUT =
      "Redis at cache:6379 is out: no reply for 100 ms. Weir tries again by itself, about twice a"
          + " second. Meanwhile on-outage decides: its default, local, limits by this node's share";
  private static final String BACK =
      "Redis at cache:6379 decides again after 2.0 s; 5 requests were decided without it";

  private final ManualTime time = new ManualTime();
  private final OutageLog log = new OutageLog(time);
  private final List<String> lines = new ArrayList<>();
  private long decided = 1_000;

  @Test
  void an_outage_has_two_lines_and_the_second_says_for_how_long_and_for_how_many_requests() {
    outage();
    assertThat(lines).containsExactly(OUT, BACK);
    begin();
    after(Duration.ofMinutes(90));
    decided++;
    end();
    assertThat(lines)
        .endsWith(
            "Redis at cache:6379 decides again after 5400.0 s; 1 request was decided without it");
  }

  @Test
  void three_outages_in_a_minute_are_summed_up_with_the_cure() {
    outages(3, Duration.ofSeconds(10));
    assertThat(lines).hasSize(7).startsWith(OUT, BACK, OUT, BACK, OUT, BACK);
    assertThat(lines.get(6))
        .isEqualTo(
            "Redis at cache:6379 was out 3 times within 26.0 s, for 6.0 s in all; 15 requests were"
                + " decided without it. Last reason: no reply for 100 ms. If it is up, this machine"
                + " or the network is too slow for the deadline: set a longer redis.deadline."
                + " Further short outages have one line a minute");
  }

  @Test
  void further_ones_have_one_line_a_minute() {
    outages(3, Duration.ofSeconds(1));
    lines.clear();
    outages(10 * 6, Duration.ofSeconds(8));
    assertThat(lines).hasSizeBetween(9, 10).allMatch(line -> line.contains("was out 6 times"));
  }

  @Test
  void any_three_within_a_minute_are_summed_up() {
    outage();
    after(Duration.ofSeconds(50));
    outages(2, Duration.ofSeconds(10));
    assertThat(lines).noneMatch(line -> line.contains("was out"));
    outage();
    assertThat(lines).last().asString().contains("was out 3 times within 26.0 s");
  }

  @Test
  void outages_that_are_rarer_than_three_in_a_minute_are_never_summed_up() {
    outages(40, Duration.ofSeconds(28));
    assertThat(lines).hasSize(80).noneMatch(line -> line.contains("was out"));
  }

  @Test
  void after_a_minute_without_one_an_outage_has_its_lines_again() {
    outages(3, Duration.ofSeconds(1));
    lines.clear();
    after(Duration.ofMinutes(1));
    outage();
    assertThat(lines).containsExactly(OUT, BACK);
  }

  @Test
  void a_long_outage_of_an_unsteady_redis_has_its_lines_too() {
    outages(3, Duration.ofSeconds(1));
    lines.clear();
    begin();
    after(Duration.ofSeconds(9));
    goOn();
    assertThat(lines).isEmpty();
    after(Duration.ofSeconds(1));
    goOn();
    goOn();
    assertThat(lines).containsExactly(OUT);
    end();
    assertThat(lines).hasSize(2).last().asString().contains("decides again after 10.0 s");
  }

  @Test
  void a_reason_that_is_found_later_has_a_line() {
    begin();
    explain();
    assertThat(lines).containsExactly(OUT, "Redis at cache:6379 is still out: NOAUTH");
  }

  @Test
  void a_reason_with_a_cure_says_that_no_retry_succeeds_without_it() {
    String cured =
        ". Weir tries again by itself, about twice a second, and succeeds once what is expected is"
            + " there. A change of redis in the configuration requires a restart";
    add(log.began(REDIS, "WRONGPASS (expected: a password)", decided));
    add(log.explained(REDIS, "NOAUTH (expected: a password)"));
    assertThat(lines)
        .containsExactly(
            "Redis at cache:6379 is out: WRONGPASS (expected: a password)"
                + cured
                + ". Meanwhile on-outage decides: its default, local, limits by this node's share",
            "Redis at cache:6379 is still out: NOAUTH (expected: a password)" + cured);
  }

  @Test
  void where_short_outages_are_summed_up_it_is_a_part_of_the_sum() {
    outages(3, Duration.ofSeconds(1));
    lines.clear();
    for (int i = 0; i < 7; i++) {
      begin();
      explain();
      after(Duration.ofSeconds(9));
      end();
    }
    assertThat(lines).singleElement().asString().contains("Last reason: NOAUTH");
  }

  @Test
  void and_of_the_first_line_of_an_outage_that_becomes_long() {
    outages(3, Duration.ofSeconds(1));
    lines.clear();
    begin();
    explain();
    after(Duration.ofSeconds(10));
    goOn();
    assertThat(lines).singleElement().asString().contains("is out: NOAUTH.");
  }

  @Test
  void one_that_is_found_after_the_end_has_no_line() {
    explain();
    outage();
    explain();
    assertThat(lines).containsExactly(OUT, BACK);
  }

  @Test
  void primaries_are_counted_apart() {
    for (int i = 0; i < 2; i++) {
      outage();
      add(log.began("other:6379", "lost", decided));
      add(log.ended("other:6379", decided));
    }
    assertThat(lines).hasSize(8).noneMatch(line -> line.contains("was out"));
  }

  private void outages(int times, Duration apart) {
    for (int i = 0; i < times; i++) {
      outage();
      after(apart);
    }
  }

  private void outage() {
    begin();
    after(Duration.ofSeconds(2));
    decided += 5;
    end();
  }

  private void begin() {
    add(log.began(REDIS, "no reply for 100 ms", decided));
  }

  private void explain() {
    add(log.explained(REDIS, "NOAUTH"));
  }

  private void goOn() {
    add(log.continued(REDIS));
  }

  private void end() {
    add(log.ended(REDIS, decided));
  }

  private void after(Duration passed) {
    time.advance(passed);
  }

  private void add(List<Line> more) {
    more.forEach(line -> lines.add(line.text()));
  }
}

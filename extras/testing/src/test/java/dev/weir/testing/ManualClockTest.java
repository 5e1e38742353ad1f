package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.Race;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Time passes when it is advanced, for the ticker and the date, and what is due happens then. */
class ManualClockTest {

  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

  private final ManualClock clock = new ManualClock(START);
  private final List<String> done = new ArrayList<>();

  @Test
  void it_stands_still_until_it_is_advanced() {
    assertThat(clock.instant()).isEqualTo(START);
    assertThat(clock.nanoTime()).isZero();

    clock.advance(Duration.ofMillis(1_500));
    assertThat(clock.instant()).isEqualTo(START.plusMillis(1_500));
    assertThat(clock.nanoTime()).isEqualTo(1_500_000_000L);
    assertThat(clock.elapsed()).isEqualTo(Duration.ofMillis(1_500));
    assertThat(clock).hasToString("2026-11-20T10:00:01.500Z, PT1.5S after the start");
  }

  @Test
  void it_starts_at_a_date_that_is_always_the_same() {
    assertThat(new ManualClock().instant()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void it_is_advanced_to_a_date() {
    clock.advanceTo(START.plusSeconds(90));
    assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(90));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> clock.advanceTo(START))
        .withMessage("time: PT-1M-30S (expected: >= 0)");
  }

  @Test
  void the_ticker_does_not_notice_that_the_date_is_set() {
    clock.setInstant(Instant.EPOCH);
    assertThat(clock.elapsed()).isZero();
    clock.advance(Duration.ofSeconds(1));
    assertThat(clock.instant()).isEqualTo(Instant.ofEpochSecond(1));
  }

  @Test
  void time_neither_runs_back_nor_over() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> clock.advance(Duration.ofNanos(-1)))
        .withMessage("time: PT-0.000000001S (expected: >= 0)");
    clock.advance(Duration.ofDays(60_000));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> clock.advance(Duration.ofDays(60_000)));
    assertThat(clock.elapsed()).isEqualTo(Duration.ofDays(60_000));
  }

  @Test
  void code_that_takes_a_clock_of_the_JDK_takes_this_one() {
    java.time.Clock theirs = clock.withZone(ZoneOffset.UTC);
    clock.advance(Duration.ofSeconds(1));
    assertThat(theirs.instant()).isEqualTo(START.plusSeconds(1));
  }

  @Test
  void what_is_due_happens_at_its_time_and_in_order() {
    in(20, "third");
    in(10, "first");
    in(10, "second");
    in(30, "later");
    clock.advance(Duration.ofSeconds(29));
    assertThat(done).containsExactly("first at PT10S", "second at PT10S", "third at PT20S");
    assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(29));
    clock.advance(Duration.ofSeconds(1));
    assertThat(done).hasSize(4).endsWith("later at PT30S");
  }

  @Test
  void what_is_cancelled_does_not_happen() {
    Runnable cancel = clock.in(Duration.ofSeconds(1), () -> done.add("cancelled"));
    in(1, "kept");
    cancel.run();
    clock.advance(Duration.ofSeconds(1));
    assertThat(done).containsExactly("kept at PT1S");
  }

  @Test
  void what_an_action_starts_in_the_meantime_happens_too() {
    Runnable unused = clock.in(Duration.ofSeconds(1), () -> in(2, "nested"));
    clock.advance(Duration.ofSeconds(3));
    assertThat(done).containsExactly("nested at PT3S");
  }

  @Test
  void an_action_may_advance_the_clock_beyond_what_is_under_way() {
    Runnable unused = clock.in(Duration.ofSeconds(1), () -> clock.advance(Duration.ofSeconds(5)));
    in(4, "in between");
    clock.advance(Duration.ofSeconds(2));
    assertThat(done).containsExactly("in between at PT4S");
    assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void soon_is_now_and_after_the_action_that_is_under_way() {
    clock.soon(
        () -> {
          clock.soon(() -> done.add("inner"));
          done.add("outer");
        });
    assertThat(done).containsExactly("outer", "inner");
    assertThat(clock.elapsed()).isZero();
  }

  @Test
  void time_passes_until_an_answer_has_come_and_no_longer() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Runnable unused = clock.in(Duration.ofHours(1), () -> answer.complete("here"));
    in(7_200, "too late");
    assertThat(clock.passUntilDone(() -> answer)).isSameAs(answer);
    assertThat(answer).isCompletedWithValue("here");
    assertThat(clock.elapsed()).isEqualTo(Duration.ofHours(1));
    assertThat(done).isEmpty();
  }

  @Test
  void what_the_end_of_a_wait_starts_happens_before_it_returns() {
    CompletableFuture<String> done =
        clock.passUntilDone(
            () -> {
              clock.soon(() -> this.done.add("next"));
              return CompletableFuture.completedFuture("at once");
            });
    assertThat(done).isCompleted();
    assertThat(this.done).containsExactly("next");
  }

  @Test
  void an_answer_that_nothing_brings_is_left_to_other_threads() {
    assertThat(clock.passUntilDone(CompletableFuture::new)).isNotDone();
    assertThat(clock.elapsed()).isZero();
  }

  @Test
  void a_delay_beyond_all_time_is_never_due() {
    clock.advance(Duration.ofSeconds(1));
    Runnable unused =
        clock.in(Duration.ofSeconds(Long.MAX_VALUE), () -> done.add("beyond all time"));
    clock.advance(Duration.ofDays(50_000));
    assertThat(done).isEmpty();
  }

  @Test
  void threads_that_advance_it_add_up() throws Exception {
    Race.run(
        thread -> {
          for (int i = 0; i < 1_000; i++) {
            clock.advance(Duration.ofMillis(1));
          }
        });
    assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(8));
    assertThat(clock.instant()).isEqualTo(START.plus(clock.elapsed()));
  }

  private void in(int seconds, String name) {
    Runnable unused =
        clock.in(Duration.ofSeconds(seconds), () -> done.add(name + " at " + clock.elapsed()));
  }
}

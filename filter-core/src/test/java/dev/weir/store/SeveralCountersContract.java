package dev.weir.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.remaining;
import static dev.weir.fixture.AcquireRequests.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every store promises of several counters as well: asked together, and kept apart. */
abstract class SeveralCountersContract extends PermitsContract {

  @Test
  void several_limits_are_charged_all_or_none() {
    Charge tight = charge("tight", "2 per 30 days", alice, 1);
    Charge wide = charge("wide", "10 per 30 days window", bob, 2);

    assertThat(remaining(decide(store, tight, wide))).containsExactly(1L, 8L);
    assertThat(remaining(decide(store, tight, wide))).containsExactly(0L, 6L);
    Decision.Counted denied = decide(store, tight, wide);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limitName()).hasValue("tight");
    assertThat(remaining(denied)).containsExactly(0L, 6L);
    assertThat(denied.verdicts()).extracting(Verdict::fits).containsExactly(false, true);
    assertThat(decide(store, wide).binding().remaining()).isEqualTo(4);
  }

  @Test
  void of_several_limits_that_deny_the_longest_wait_binds() {
    Charge sooner = charge("sooner", "10 per 10 days", alice, 10);
    Charge later = charge("later", "10 per 30 days", alice, 10);
    decide(store, sooner, later);

    Decision.Counted denied = decide(store, sooner, later);
    assertThat(denied.limitName()).hasValue("later");
    assertThat(retryAfter(denied)).isBetween(lessTestTime(10), Duration.ofDays(30));
  }

  @Test
  void charges_of_one_counter_are_summed() {
    Decision.Counted granted = decide(store, many(SLOW, 4), many(SLOW, 5));
    assertThat(granted.verdicts()).hasSize(1);
    assertThat(granted.binding().remaining()).isEqualTo(1);
    assertThat(decide(store, one(SLOW), one(SLOW)).allowed()).isFalse();
    assertThat(decide(store, many(SLOW, 6), many(SLOW, 6)).isNeverSatisfiable()).isTrue();
  }

  @Test
  void subjects_do_not_affect_each_other() {
    List<Subject> alike =
        List.of(
            alice,
            bob,
            new Subject(List.of(part("a", "b:c"), part("d", alice.toString()))),
            new Subject(List.of(part("a:b", "c"), part("d", alice.toString()))),
            new Subject(List.of(part("d", alice.toString()), part("a", "b:c"))),
            new Subject(List.of(part("x", "y\0\0z\0\0" + alice.toString()), part("z", "z"))),
            new Subject(List.of(part("x", "y"), part("z", alice.toString()), part("z", "z"))),
            Subject.of("k", "\uD800"),
            Subject.of("k", "\uD801"),
            Subject.of("k", "\uFFFD"),
            Subject.of("k", "?"),
            Subject.of("k", "é"),
            Subject.of("k", "e\u0301"),
            Subject.of("k", "\0"),
            Subject.of("k", ""),
            Subject.of("k", "x".repeat(1 << 16)),
            Subject.of("k", "x".repeat(1 << 16) + "y"));
    String name = "isolated-" + UUID.randomUUID();
    for (Subject subject : alike) {
      assertThat(decide(store, charge(name, SLOW, subject, 10)).allowed()).isTrue();
    }
    for (Subject subject : alike) {
      assertThat(decide(store, charge(name, SLOW, subject, 1)).allowed()).isFalse();
    }
  }

  @Test
  void limits_of_different_names_do_not_affect_each_other() {
    decide(store, charge("one", SLOW, alice, 10));
    assertThat(decide(store, charge("two", SLOW, alice, 10)).allowed()).isTrue();
  }

  @Test
  void a_bucket_and_a_window_of_one_name_both_limit() {
    Charge bucket = charge("login", "5 per 30 days", alice, 1);
    Charge window = charge("login", "5 per 30 days window", alice, 1);
    int byBucket = 0;
    int byWindow = 0;
    for (int i = 0; i < 20; i++) {
      byBucket += decide(store, bucket).allowed() ? 1 : 0;
      byWindow += decide(store, window).allowed() ? 1 : 0;
    }
    assertThat(byBucket).isBetween(1, 5);
    assertThat(byWindow).isBetween(1, 5);
  }

  private static Subject.Part part(String kind, String value) {
    return new Subject.Part(kind, value);
  }
}

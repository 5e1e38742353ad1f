package dev.weir.http.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.fixture.ManualTime;
import dev.weir.http.RequestCounts.TopDenied;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The subjects that are denied most, found in bounded memory. */
class TopSubjectsTest {

  private static final int MOST = 64;

  private final ManualTime time = new ManualTime();
  private final TopSubjects top = new TopSubjects(time);
  private final Map<String, Long> truth = new HashMap<>();

  private void deny(String tag) {
    top.add(tag);
    truth.merge(tag, 1L, Long::sum);
  }

  @Test
  void a_few_subjects_are_counted_exactly_the_most_denied_first() {
    for (int i = 1; i <= MOST; i++) {
      for (int n = 0; n < i; n++) {
        deny("tag" + i);
      }
    }
    List<TopDenied> entries = top.entries();
    assertThat(entries).hasSize(MOST);
    assertThat(entries.get(0)).isEqualTo(new TopDenied("tag64", 64, 0));
    assertThat(entries).allSatisfy(it -> assertThat(it.error()).isZero());
  }

  @Test
  void one_abuser_of_fifty_is_found_in_a_million_denials_of_a_hundred_thousand_subjects() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 1_000_000; i++) {
      deny(random.nextInt(50) == 0 ? "abuser" : "tag" + random.nextInt(100_000));
    }
    List<TopDenied> entries = top.entries();
    TopDenied abuser =
        entries.subList(0, 5).stream()
            .filter(it -> it.tag().equals("abuser"))
            .findFirst()
            .orElseThrow();
    assertThat(truth.get("abuser")).isBetween(abuser.count() - abuser.error(), abuser.count());
  }

  @Test
  void no_count_is_too_low_and_none_is_too_high_by_more_than_its_error() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 200_000; i++) {
      deny("tag" + (int) Math.pow(2_000, random.nextDouble()));
    }
    assertThat(top.entries())
        .hasSize(MOST)
        .allSatisfy(
            it -> assertThat(truth.get(it.tag())).isBetween(it.count() - it.error(), it.count()));
    long least = top.entries().get(MOST - 1).count();
    assertThat(truth)
        .allSatisfy((tag, count) -> assertThat(isKept(tag) || count <= least).isTrue());
  }

  private boolean isKept(String tag) {
    return top.entries().stream().anyMatch(it -> it.tag().equals(tag));
  }

  /** What it allocates includes what it keeps. */
  @Test
  void a_full_one_takes_less_than_16_kilobytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    new TopSubjects(time).add("loaded");
    long before = threads.getCurrentThreadAllocatedBytes();
    TopSubjects full = new TopSubjects(time);
    for (int i = 0; i < MOST; i++) {
      full.add(Integer.toString(10_000_000 + i));
    }
    long taken = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(full.entries()).hasSize(MOST);
    assertThat(taken).isLessThan(16_000);
  }

  @Test
  void each_minute_halves_the_counts_and_what_is_gone_leaves() {
    for (int i = 0; i < 9; i++) {
      deny("early");
    }
    time.advance(Duration.ofMinutes(1));
    deny("late");
    assertThat(top.entries())
        .containsExactly(new TopDenied("early", 4, 0), new TopDenied("late", 1, 0));
    time.advance(Duration.ofMinutes(1));
    assertThat(top.entries()).containsExactly(new TopDenied("early", 2, 0));
    time.advance(Duration.ofDays(400));
    assertThat(top.entries()).isEmpty();
  }
}

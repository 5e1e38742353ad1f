package dev.weir.local;

import static dev.weir.fixture.AcquireRequests.admittedOf;
import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.ManualTime;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each of N nodes has its part of a limit, and no more. */
class NodeShareTest {

  private final ManualTime time = new ManualTime();
  private final Subject alice = Subject.of("alice");
  private int nodes = 1;

  private LocalLimitStore node() {
    return LocalLimitStore.of(
        LocalOptions.of().withNodes(() -> nodes).withTime(time, time::instant));
  }

  @Test
  void a_share_without_a_shared_store_has_nodes() {
    assertThat(LocalOptions.of().withNodes(3).nodes().getAsInt()).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LocalOptions.of().withNodes(0))
        .withMessage("nodes: 0 (expected: > 0)");
  }

  @Test
  void nodes_together_never_exceed_burst_and_rate_where_each_would_alone_have_had_all_of_it() {
    nodes = 4;
    List<LocalLimitStore> cluster = List.of(node(), node(), node(), node());
    Charge one = charge("limit", "100 per second", alice, 1);
    int admitted = 0;
    for (int tenths = 0; tenths <= 100; tenths++) {
      for (LocalLimitStore node : cluster) {
        admitted += admittedOf(1_000, node, one);
      }
      time.advance(Duration.ofMillis(100));
    }
    assertThat(admitted).isEqualTo(100 + 10 * 100);
  }

  @Test
  void a_burst_is_rounded_up_and_a_quota_down() {
    nodes = 3;
    assertThat(admittedOf(100, node(), charge("b", "10 per day", alice, 1))).isEqualTo(4);
    assertThat(admittedOf(100, node(), charge("w", "11 per day window", alice, 1))).isEqualTo(3);
    assertThat(admittedOf(100, node(), charge("c", "11 per day window UTC", alice, 1)))
        .isEqualTo(3);
  }

  @Test
  void a_rate_is_divided_exactly() {
    nodes = 7;
    LocalLimitStore node = node();
    Charge one = charge("limit", "3 per second, burst 1", alice, 1);
    assertThat(decide(node, one).allowed()).isTrue();
    assertThat(decide(node, one).retryAfter()).hasValue(Duration.ofNanos(2_333_333_334L));
    time.advance(Duration.ofSeconds(2));
    assertThat(decide(node, one).retryAfter()).hasValue(Duration.ofNanos(333_333_334L));
  }

  @Test
  void every_node_has_at_least_one_permit() {
    nodes = 100;
    LocalLimitStore node = node();
    assertThat(admittedOf(100, node, charge("bucket", "10 per day", alice, 1))).isEqualTo(1);
    assertThat(admittedOf(100, node, charge("window", "10 per day window", alice, 1))).isEqualTo(1);
  }

  @Test
  void a_request_above_the_limit_is_never_satisfiable() {
    nodes = 3;
    for (String limit : List.of("10 per day", "10 per day window", "10 concurrent")) {
      assertThat(decide(node(), charge("limit", limit, alice, 10)).allowed()).isTrue();
      assertThat(decide(node(), charge("limit", limit, alice, 11)).binding().retry())
          .isEqualTo(Retry.NEVER);
    }
  }

  @Test
  void who_takes_what_there_is_gets_what_the_share_has() {
    nodes = 2;
    LocalLimitStore node = node();
    for (String limit : List.of("10 per day", "10 per day window", "10 per day sliding")) {
      Charge all = charge(limit, limit, alice, 10);
      assertThat(upTo(node, all).granted()).hasValue(5);
      assertThat(upTo(node, all).allowed()).isFalse();
    }
  }

  @Test
  void a_verdict_names_the_configured_limit_and_counts_in_the_share() {
    nodes = 2;
    Decision.Counted decision = decide(node(), charge("limit", "10 per day", alice, 1));
    assertThat(decision.limit().orElseThrow()).hasToString("10 per day");
    assertThat(decision.binding().remaining()).isEqualTo(4);
  }

  @Test
  void consumption_carries_over_when_the_number_of_nodes_changes_and_back() {
    for (String limit : List.of("100 per day", "100 per day window", "100 per day window UTC")) {
      nodes = 2;
      LocalLimitStore node = node();
      assertThat(decide(node, charge("limit", limit, alice, 30)).binding().remaining())
          .isEqualTo(20);
      nodes = 4;
      assertThat(decide(node, charge("limit", limit, alice, 1)).binding().remaining()).isZero();
      nodes = 2;
      assertThat(decide(node, charge("limit", limit, alice, 1)).binding().remaining())
          .isEqualTo(19);
      nodes = 1;
      assertThat(decide(node, charge("limit", limit, alice, 1)).binding().remaining())
          .isEqualTo(68);
    }
  }

  @Test
  void a_number_of_nodes_that_flaps_mints_nothing() {
    LocalLimitStore node = node();
    int admitted = 0;
    for (int i = 0; i < 100; i++) {
      nodes = 1 + i % 5;
      admitted += admittedOf(1_000, node, charge("limit", "100 per day", alice, 1));
      admitted += admittedOf(1_000, node, charge("window", "100 per day window", alice, 1));
    }
    assertThat(admitted).isEqualTo(200);
  }

  @Test
  void consumption_carries_over_when_the_kind_of_a_limit_changes() {
    LocalLimitStore node = node();
    decide(node, charge("limit", "10 per day", alice, 4));
    assertThat(decide(node, charge("limit", "10 per day window", alice, 1)).binding().remaining())
        .isEqualTo(5);
    assertThat(
            decide(node, charge("limit", "10 per day window UTC", alice, 1)).binding().remaining())
        .isEqualTo(4);
    assertThat(decide(node, charge("limit", "20 per day", alice, 1)).binding().remaining())
        .isEqualTo(13);
  }

  @Test
  void a_period_that_no_long_holds_still_limits() {
    nodes = Integer.MAX_VALUE;
    LocalLimitStore node = node();
    Charge one = charge("limit", "1 per 366 days", alice, 1);
    assertThat(decide(node, one).allowed()).isTrue();
    time.advance(Duration.ofDays(366 * 100));
    assertThat(decide(node, one).allowed()).isFalse();
  }

  @Test
  void a_number_of_nodes_below_one_counts_as_one() {
    List<Long> remaining = new ArrayList<>();
    for (int odd : new int[] {0, -3}) {
      nodes = odd;
      remaining.add(decide(node(), charge("limit", "10 per day", alice, 1)).binding().remaining());
    }
    assertThat(remaining).containsExactly(9L, 9L);
  }
}

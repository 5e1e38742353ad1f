package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.SubjectResolver.Missing;
import dev.weir.http.internal.response.RetrySlots;
import dev.weir.http.internal.response.ServiceRate;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that a shared counter denies is served if it retries at its Retry-After. */
class SharedRetriesTest extends LimiterUnderTest {

  private static final int CLIENTS = 20;
  private static final long SECOND_NANOS = 1_000_000_000;

  private RuleLimiter limiting(String subject, String limit) {
    return limiter(
        Rules.rule("all", RequestMatcher.of("/**"), subject, Rules.limit("limit", limit)));
  }

  private static FakeRequest from(int client) {
    return FakeRequest.get("/").from("198.51.100." + client).header("X-API-Key", "key " + client);
  }

  private static long retryAfter(Outcome denied) {
    return Long.parseLong(Objects.requireNonNull(field(rejected(denied), "Retry-After")));
  }

  private record Event(long atNanos, int number, Runnable action) {}

  /** Clients that sleep exactly for their Retry-After, until each is served so often. */
  private final class Crowd {

    private final RuleLimiter limiter;
    private final Duration work;
    private final Queue<Event> events =
        new PriorityQueue<>(
            Comparator.comparingLong(Event::atNanos).thenComparingInt(Event::number));
    private int number;
    private int retries;
    private int denied;
    private int passed;

    Crowd(RuleLimiter limiter, Duration work) {
      this.limiter = limiter;
      this.work = work;
    }

    /** They arrive so long after one another. */
    Crowd run(Duration apart, int each) {
      long startNanos = time.nanoTime();
      for (int client = 1; client <= CLIENTS; client++) {
        int one = client;
        at(startNanos + client * apart.toNanos(), () -> request(one, each, false));
      }
      for (Event next = events.poll(); next != null; next = events.poll()) {
        time.advance(Duration.ofNanos(next.atNanos - time.nanoTime()));
        next.action.run();
      }
      assertThat(passed).isEqualTo(CLIENTS * each);
      return this;
    }

    private void at(long nanos, Runnable action) {
      events.add(new Event(nanos, number++, action));
    }

    private void request(int client, int left, boolean isRetry) {
      FakeRequest request = from(client);
      Outcome outcome = limiter.limit(request);
      boolean tickets = outcome instanceof Passed;
      retries += isRetry ? 1 : 0;
      denied += isRetry && !tickets ? 1 : 0;
      passed += tickets ? 1 : 0;
      long nowNanos = time.nanoTime();
      if (!tickets) {
        at(nowNanos + retryAfter(outcome) * SECOND_NANOS, () -> request(client, left, true));
        return;
      }
      Optional<Completion> completion = outcome.completion();
      at(
          nowNanos + work.toNanos(),
          () -> {
            completion.ifPresent(end -> end.completed(200));
            if (left > 1) {
              at(time.nanoTime(), () -> request(client, left - 1, false));
            }
          });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2 per second, 0",
    "6 per 3s window, 0",
    "6 per 3s sliding, 0",
    "2 per second leaky, 0",
    "7 per 11s, 0",
    "2 per second, 7",
    "6 per 3s window, 7",
    "6 per 3s sliding, 7",
    "2 per second leaky, 7",
    "7 per 11s, 7",
    "100 per minute, 13",
    "5 per minute window, 13",
    "5 per minute sliding, 13"
  })
  void a_client_that_sleeps_as_told_is_served(String limit, long millisApart) {
    Crowd crowd = new Crowd(limiting("global", limit), Duration.ZERO);
    crowd.run(Duration.ofMillis(millisApart), 1);
    assertThat(crowd.denied).as("of %d retries", crowd.retries).isLessThanOrEqualTo(1);
  }

  /**
   * A client that is served by a window and comes again at once takes what others were promised.
   */
  @ParameterizedTest
  @CsvSource({
    "2 per second, 3",
    "6 per 3s window, 20",
    "6 per 3s sliding, 20",
    "2 per second leaky, 10",
    "7 per 11s, 3"
  })
  void few_retries_are_denied_where_each_client_comes_again_and_again(String limit, int most) {
    Crowd crowd = new Crowd(limiting("global", limit), Duration.ofMillis(10));
    crowd.run(Duration.ofMillis(7), 3);
    assertThat(crowd.denied).as("of %d retries", crowd.retries).isLessThanOrEqualTo(most);
  }

  @Test
  void so_it_is_of_a_concurrency_limit_whose_wait_is_an_estimate() {
    Crowd crowd = new Crowd(limiting("global", "2 concurrent, ttl 5s"), Duration.ofMillis(500));
    crowd.run(Duration.ofMillis(7), 3);
    assertThat(crowd.denied).as("of %d retries", crowd.retries).isLessThanOrEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2 per second, burst 1",
        "6 per 3s window",
        "6 per 3s sliding",
        "2 per second leaky, capacity 1",
        "7 per 11s"
      })
  void a_subject_of_its_own_is_told_the_exact_wait(String limit) {
    RuleLimiter limiter = limiting("header:X-API-Key", limit);
    for (int client = 1; client <= CLIENTS; client++) {
      Outcome outcome = limiter.limit(from(client));
      while (outcome instanceof Passed) {
        outcome = limiter.limit(from(client));
      }
      long reported = retryAfter(outcome);
      time.advance(Duration.ofSeconds(reported - 1));
      assertThat(reported == 1 || limiter.limit(from(client)) instanceof Outcome.Rejected).isTrue();
      time.advance(Duration.ofSeconds(1));
      assertThat(limiter.limit(from(client))).isInstanceOf(Passed.class);
    }
  }

  @Test
  void a_window_is_told_to_as_many_as_it_serves_and_the_next_one_to_those_after() {
    RuleLimiter limiter = limiting("global", "3 per minute window UTC");
    exhaust(limiter, from(1), 3);
    List<Long> reported = new ArrayList<>();
    for (int client = 1; client <= 7; client++) {
      reported.add(retryAfter(limiter.limit(from(client))));
    }
    assertThat(reported).containsExactly(60L, 60L, 60L, 120L, 120L, 120L, 180L);
  }

  @Test
  void the_listener_and_the_log_have_the_limits_own_wait() {
    List<Duration> received = new ArrayList<>();
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onRequestDecided(
              List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
            decision.flatMap(Decision::retryAfter).ifPresent(received::add);
          }
        };
    RuleLimiter limiter =
        limiter(
            RuleLimiter.Settings.DEFAULT.withListener(listener),
            Rules.rule("all", RequestMatcher.of("/**"), "global", LOGIN));
    exhaust(limiter, from(1), 2);
    try (LogCapture log = new LogCapture("dev.weir.http")) {
      assertThat(retryAfter(limiter.limit(from(1)))).isEqualTo(30);
      assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(60);
      assertThat(received).containsOnly(Duration.ofSeconds(30)).hasSize(2);
      assertThat(log.records())
          .hasSize(2)
          .allMatch(line -> line.getMessage().endsWith("retry after PT30S"));
    }
  }

  @Test
  void a_client_that_asks_again_too_early_is_told_what_is_left_and_takes_no_further_room() {
    RuleLimiter limiter = limiting("global", "2 per minute");
    exhaust(limiter, from(1), 2);
    assertThat(retryAfter(limiter.limit(from(1)))).isEqualTo(30);
    for (int i = 0; i < 1_000; i++) {
      assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(60);
    }
    time.advance(Duration.ofSeconds(10));
    assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(50);
    assertThat(retryAfter(limiter.limit(from(3)))).isEqualTo(80);
  }

  @Test
  void what_is_dearer_waits_for_as_many_permits_as_it_costs() {
    Rule rule =
        Rules.rule(
            "dear",
            RequestMatcher.of("/**"),
            SubjectResolver.of("path"),
            5,
            Rules.limit("limit", "1 per second, burst 10"));
    RuleLimiter limiter = limiter(rule);
    exhaust(limiter, from(1), 2);
    assertThat(retryAfter(limiter.limit(from(1)))).isEqualTo(5);
    assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(10);
    assertThat(retryAfter(limiter.limit(from(3)))).isEqualTo(15);
  }

  @Test
  void what_is_cheaper_does_not_wait_for_what_is_dearer() {
    NamedLimit shared = Rules.limit("limit", "1 per second, burst 100");
    RuleLimiter limiter =
        limiter(
            Rules.rule("cheap", RequestMatcher.of("GET /**"), "global", shared),
            Rules.rule(
                "dear", RequestMatcher.of("POST /**"), SubjectResolver.of("global"), 60, shared));
    exhaust(limiter, from(1), 100);
    assertThat(retryAfter(limiter.limit(FakeRequest.post("/").from("192.0.2.9")))).isEqualTo(60);
    assertThat(retryAfter(limiter.limit(from(1)))).isEqualTo(1);
    assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(2);
    assertThat(retryAfter(limiter.limit(from(3)))).isEqualTo(3);
  }

  @Test
  void a_block_that_is_reset_leaves_no_wait_behind() {
    RuleLimiter limiter = limiting("global", "1 per second");
    Counter counter =
        new Counter(
            "limit", Rules.limit("limit", "1 per second").limit(), Subject.of("global", "*"));
    adjust(new Adjustment.Block(counter, Duration.ofMinutes(15)));
    assertThat(retryAfter(limiter.limit(from(1)))).isEqualTo(900);
    assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(901);
    adjust(new Adjustment.Reset(counter));
    exhaust(limiter, from(1), 1);
    assertThat(retryAfter(limiter.limit(from(3)))).isEqualTo(1);
    assertThat(retryAfter(limiter.limit(from(4)))).isEqualTo(2);
  }

  private void adjust(Adjustment adjustment) {
    try {
      assertThat(store.adjust(adjustment, Deadline.after(Duration.ofSeconds(1)))).isEmpty();
    } catch (StoreUnavailableException e) {
      throw new AssertionError(e);
    }
  }

  /** Of a concurrency limit that hangs, an estimate is half a minute; afterwards it is short. */
  @Test
  void an_estimate_that_becomes_much_shorter_holds_from_then_on() {
    ServiceRate hanging = new ServiceRate(30 * SECOND_NANOS, 1, 0);
    ServiceRate working = new ServiceRate(0.5 * SECOND_NANOS, 2, 0);
    RetrySlots slots = new RetrySlots();
    for (int client = 1; client <= 10; client++) {
      assertThat(slots.nanosFor("hung " + client, hanging, 30 * SECOND_NANOS, 0))
          .isEqualTo(30L * client * SECOND_NANOS);
    }
    long later = 40 * SECOND_NANOS;
    for (int client = 1; client <= 4; client++) {
      assertThat(slots.nanosFor("one " + client, working, SECOND_NANOS / 4, later))
          .isLessThanOrEqualTo(2 * SECOND_NANOS);
    }
  }

  @Test
  void estimates_that_differ_a_little_keep_the_crowd_apart() {
    RetrySlots slots = new RetrySlots();
    Set<Long> reported = new HashSet<>();
    for (int client = 1; client <= 20; client++) {
      long exactNanos = SECOND_NANOS - client * 20_000_000L;
      reported.add(
          slots.nanosFor("one " + client, new ServiceRate(exactNanos, 1, 0), exactNanos, 0));
    }
    assertThat(reported).hasSize(20);
  }

  @Test
  void clients_whose_addresses_are_unknown_are_told_different_times() {
    RuleLimiter limiter = limiting("global", "1 per minute");
    exhaust(limiter, from(1), 1);
    assertThat(retryAfter(limiter.limit(FakeRequest.get("/").from(null)))).isEqualTo(60);
    assertThat(retryAfter(limiter.limit(FakeRequest.get("/").from(null)))).isEqualTo(120);
    assertThat(retryAfter(limiter.limit(FakeRequest.get("/").from("@")))).isEqualTo(180);
  }

  @Test
  void requests_that_lack_a_key_share_a_counter() {
    SubjectResolver keys = SubjectResolver.parse(List.of("header:X-Tier"), Missing.SHARED);
    RuleLimiter limiter =
        limiter(
            Rules.rule(
                "keys", RequestMatcher.of("/**"), keys, 1, Rules.limit("limit", "1 per minute")));
    exhaust(limiter, from(1), 1);
    assertThat(retryAfter(limiter.limit(from(1)))).isEqualTo(60);
    assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(120);
  }

  @Test
  void an_address_beside_a_path_is_a_subject_of_its_own() {
    Rule rule =
        Rules.rule(
            "both",
            RequestMatcher.of("/**"),
            SubjectResolver.of("path", "ip"),
            1,
            Rules.limit("limit", "1 per minute"));
    RuleLimiter limiter = limiter(rule);
    exhaust(limiter, from(1), 1);
    exhaust(limiter, from(2), 1);
    assertThat(retryAfter(limiter.limit(from(1)))).isEqualTo(60);
    assertThat(retryAfter(limiter.limit(from(2)))).isEqualTo(60);
  }

  @Test
  void all_that_tells_the_time_tells_the_same() {
    RuleLimiter limiter = limiting("global", "2 per minute");
    exhaust(limiter, from(1), 2);
    limiter.limit(from(1));
    Outcome.Rejected second = rejected(limiter.limit(from(2)));
    assertThat(field(second, "Retry-After")).isEqualTo("60");
    assertThat(field(second, "RateLimit")).isEqualTo("\"limit\";r=0;t=60");
    assertThat(((Body.Text) second.body()).text()).contains("Try again in 60 seconds.");
  }

  @Test
  void a_crowd_of_any_size_is_spread_over_minutes_and_never_told_too_early() {
    RuleLimiter limiter = limiting("global", "1 per second");
    exhaust(limiter, from(1), 1);
    Set<Long> reported = new HashSet<>();
    for (int client = 0; client < 5_000; client++) {
      FakeRequest request = FakeRequest.get("/").from("10.0." + client / 250 + "." + client % 250);
      reported.add(retryAfter(limiter.limit(request)));
    }
    assertThat(reported)
        .hasSizeBetween(290, 302)
        .allMatch(seconds -> seconds >= 1 && seconds <= 302);
  }

  @Test
  void the_crowd_of_a_fast_counter_returns_as_fast() {
    RuleLimiter limiter = limiting("global", "1000 per second");
    exhaust(limiter, from(1), 1_000);
    for (int client = 0; client < 5_000; client++) {
      FakeRequest request = FakeRequest.get("/").from("10.0." + client / 250 + "." + client % 250);
      assertThat(retryAfter(limiter.limit(request))).isLessThanOrEqualTo(2);
    }
  }
}

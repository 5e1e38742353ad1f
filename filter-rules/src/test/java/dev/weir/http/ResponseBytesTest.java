package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.DelegatingStore;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Completion.BodyBytes;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A request that costs what the body of its response weighs. */
class ResponseBytesTest extends LimiterUnderTest {

  private static final NamedLimit TRAFFIC = Rules.limit("traffic", "1000 B per second");
  private static final NamedLimit LARGE = Rules.limit("large", "1000 B per second, burst 16 KiB");
  private static final CountedResponses FAILURES = CountedResponses.parse(List.of("5xx"));

  private final Rule bytes = ofBytes("bytes", 100, TRAFFIC);
  private final RuleLimiter limiter = limiter(bytes);

  @Test
  void the_reserve_is_charged_until_the_end() {
    assertThat(limiter.limit(FakeRequest.get("/")).fields().get(1).value()).contains("r=900;");
    exhaust(limiter, FakeRequest.get("/"), 9);
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Rejected.class);
  }

  @Test
  void what_the_body_had_less_is_given_back() {
    Completion completion = ticket(limiter);
    body(completion).add(40);
    completion.completed(200);
    assertRemaining(1000 - 40 - 100);
  }

  @Test
  void what_was_refilled_while_the_body_was_sent_is_not_paid_again() {
    RuleLimiter large = limiter(ofBytes("large", 16_384, LARGE));
    Completion completion = ticket(large);
    body(completion).add(5_000);
    time.advance(Duration.ofSeconds(5));
    completion.completed(200);
    assertThat(large.limit(FakeRequest.get("/")))
        .as("5,000 refilled and 11,384 given back are a full burst")
        .isInstanceOf(Passed.class);
  }

  @Test
  void what_was_refilled_beyond_what_the_body_had_is_not_given_back() {
    RuleLimiter large = limiter(ofBytes("large", 16_384, LARGE));
    Completion completion = ticket(large);
    time.advance(Duration.ofSeconds(10));
    exhaust(limiter(ofBytes("small", 10_000, LARGE)), FakeRequest.get("/"), 1);
    body(completion).add(5_000);
    completion.completed(200);
    assertThat(remaining(limiter(ofBytes("look", 1, LARGE))))
        .as("16,384 less the 10,000 that were refilled and taken again, and one")
        .isEqualTo(6_384 - 1);
  }

  @Test
  void all_that_is_settled_for_a_decision_has_one_deadline() {
    List<Adjustment> made = new ArrayList<>();
    Set<Deadline> deadlines = new HashSet<>();
    LimitStore recording =
        new DelegatingStore(store) {
          @Override
          public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
              throws StoreUnavailableException {
            made.add(adjustment);
            deadlines.add(deadline);
            return super.adjust(adjustment, deadline);
          }
        };
    Rule failures = Rules.rule("failures", RequestMatcher.of("/**"), "ip", LOGIN);
    Completion completion =
        ticket(
            RuleLimiter.of(
                List.of(bytes, failures.toBuilder().counted(FAILURES).build()),
                recording,
                RuleLimiter.Settings.DEFAULT));
    body(completion).add(40);
    completion.completed(200);
    assertThat(made)
        .extracting(Object::getClass)
        .containsExactlyInAnyOrder(Adjustment.Refund.class, Adjustment.Reconcile.class);
    assertThat(deadlines).hasSize(1);
  }

  @Test
  void what_the_body_had_more_is_owed() {
    Completion completion = ticket(limiter);
    body(completion).add(700);
    completion.completed(200);
    assertRemaining(1000 - 700 - 100);
  }

  @Test
  void a_body_larger_than_the_limit_is_paid_before_the_next_passes() {
    Completion completion = ticket(limiter);
    body(completion).add(5_000);
    completion.completed(200);
    assertThat(field(limiter.limit(FakeRequest.get("/")), "Retry-After"))
        .as("4000 owed and 100 to reserve, at 1000 a second")
        .isEqualTo("5");
    time.advance(Duration.ofMillis(4_099));
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Rejected.class);
    time.advance(Duration.ofMillis(1));
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Passed.class);
  }

  @Test
  void who_is_denied_pays_nothing() {
    exhaust(limiter, FakeRequest.get("/"), 10);
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Rejected.class);
    }
    time.advance(Duration.ofMillis(100));
    exhaust(limiter, FakeRequest.get("/"), 1);
  }

  @Test
  void a_body_of_nothing_costs_nothing() {
    for (int i = 0; i < 50; i++) {
      ticket(limiter).completed(304);
    }
    assertRemaining(1000 - 100);
  }

  @Test
  void the_body_that_answers_a_head_is_not_sent_and_costs_nothing() {
    Completion completion =
        ((Passed) limiter.limit(FakeRequest.of("HEAD", "/"))).completion().orElseThrow();
    body(completion).add(700);
    completion.completed(200);
    assertRemaining(1000 - 100);
  }

  @Test
  void what_does_not_count_is_given_back_however_much_was_written() {
    RuleLimiter failures = limiter(bytes.toBuilder().counted(FAILURES).build());
    Completion free = ticket(failures);
    body(free).add(700);
    free.completed(200);
    Completion counted = ticket(failures);
    body(counted).add(300);
    counted.completed(503);
    assertThat(remaining(failures)).isEqualTo(1000 - 300 - 100);
  }

  @Test
  void of_an_end_that_nobody_knows_the_reserve_stays_or_what_was_written() {
    Completion little = ticket(limiter);
    body(little).add(10);
    little.failed();
    Completion much = ticket(limiter);
    body(much).add(300);
    much.failed();
    assertRemaining(1000 - 100 - 300 - 100);
  }

  @Test
  void several_rules_of_one_limit_each_pay_their_own() {
    SubjectResolver ip = SubjectResolver.of("ip");
    RuleLimiter both =
        limiter(bytes, Rules.rule("plain", RequestMatcher.of("/**"), ip, 7, TRAFFIC));
    Completion completion = ticket(both);
    body(completion).add(250);
    completion.completed(200);
    assertThat(remaining(both)).isEqualTo(1000 - 250 - 7 - 107);
  }

  @Test
  void several_limits_of_one_rule_are_all_charged() {
    NamedLimit day = Rules.limit("day", "2 kB per day window");
    RuleLimiter both = limiter(ofBytes("bytes", 100, TRAFFIC, day));
    Completion completion = ticket(both);
    body(completion).add(1_950);
    completion.completed(200);
    time.advance(Duration.ofMinutes(1));
    assertThat(((Rejected) both.limit(FakeRequest.get("/"))).body().toString()).contains("\"day\"");
  }

  @Test
  void where_a_completion_was_handed_out_that_does_not_count_another_one_does() {
    Rule logins =
        Rules.rule("logins", RequestMatcher.of("/**"), "ip", LOGIN).toBuilder()
            .counted(CountedResponses.parse(List.of("401")))
            .build();
    Rule bound = ofBytes("bound", 100, TRAFFIC);
    RuleLimiter late = limiter(logins);
    FakeRequest request = FakeRequest.get("/");
    Completion first = completion(late.limit(request)).orElseThrow();
    assertThat(first.body()).isEmpty();
    Completion second = completion(late.limit(request, List.of(bound))).orElseThrow();
    body(second).add(5_000);
    second.include(first);
    second.completed(200);
    assertThat(late.limit(FakeRequest.get("/"), List.of(bound))).isInstanceOf(Rejected.class);
    exhaust(late, FakeRequest.get("/"), 2);
  }

  @Test
  void a_completion_that_is_included_after_the_end_ends_at_once() {
    Rule logins =
        Rules.rule("logins", RequestMatcher.of("/**"), "ip", LOGIN).toBuilder()
            .counted(CountedResponses.parse(List.of("401")))
            .build();
    RuleLimiter late = limiter(logins);
    FakeRequest request = FakeRequest.get("/");
    Completion first = completion(late.limit(request)).orElseThrow();
    Completion second =
        completion(late.limit(request, List.of(ofBytes("bound", 100, TRAFFIC)))).orElseThrow();
    second.completed(401);
    second.include(first);
    exhaust(late, FakeRequest.get("/"), 1);
  }

  @Test
  void bytes_are_no_permits_that_are_held() {
    NamedLimit running = Rules.limit("running", "4 concurrent");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ofBytes("bytes", 1, TRAFFIC, running))
        .withMessageContaining("limits: 'running', which is held (expected: only limits over a");
  }

  @Test
  void a_reserve_that_the_limit_never_grants_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ofBytes("bytes", 1001, TRAFFIC))
        .withMessageContaining("cost: 1001 (expected: at most 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Cost.OfResponse(0))
        .withMessage("reserve: 0 (expected: > 0)");
  }

  @Test
  void a_stream_counts_what_reaches_its_target() throws IOException {
    BodyBytes counted = BodyBytes.of(FakeRequest.get("/"));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    OutputStream stream = counted.counting(sent);
    stream.write(1);
    stream.write(new byte[10]);
    stream.write(new byte[10], 3, 4);
    assertThat(counted.written()).isEqualTo(15).isEqualTo(sent.size());
    counted.forget();
    stream.write(1);
    assertThat(counted.written()).isEqualTo(1);
  }

  private static Rule ofBytes(String name, long reserve, NamedLimit... limits) {
    return Rules.rule(name, RequestMatcher.of("/**"), "ip", limits).toBuilder()
        .cost(new Cost.OfResponse(reserve))
        .build();
  }

  private static Completion ticket(RuleLimiter limiter) {
    return completion(limiter.limit(FakeRequest.get("/"))).orElseThrow();
  }

  private static Optional<Completion> completion(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Passed.class);
    return outcome.completion();
  }

  private static BodyBytes body(Completion completion) {
    return completion.body().orElseThrow();
  }

  /** After one more reserve. */
  private void assertRemaining(long expected) {
    assertThat(remaining(limiter)).isEqualTo(expected);
  }

  private static long remaining(RuleLimiter limiter) {
    String limit = String.valueOf(field(limiter.limit(FakeRequest.get("/")), "RateLimit"));
    return Long.parseLong(limit.replaceAll(".*;r=([0-9]+).*", "$1"));
  }
}

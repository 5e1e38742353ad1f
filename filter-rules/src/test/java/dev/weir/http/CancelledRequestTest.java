package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualPermits;
import dev.weir.fixture.ManualScheduler;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Completion.Response;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Rejected;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A request whose client has gone ends a second later, unless the container reports more of it. */
class CancelledRequestTest extends LimiterUnderTest {

  private static final Optional<Response> UNKNOWN = Optional.empty();

  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final OverloadGate gate = new OverloadGate(time);
  private final Rule running =
      Rules.rule("running", RequestMatcher.of("/**"), "ip", Rules.limit("running", "1 concurrent"));
  private final Rule logins =
      Rules.rule("logins", RequestMatcher.of("/login"), "ip", LOGIN).toBuilder()
          .counted(CountedResponses.parse(List.of("401")))
          .build();
  private final RuleLimiter limiter = gated();
  private final FakeRequest request = FakeRequest.get("/login");
  private final Completion completion = limiter.limit(request).completion().orElseThrow();

  @Test
  void it_keeps_its_permit_and_its_place_for_a_second() {
    completion.cancelled(UNKNOWN);
    scheduler.advance(Duration.ofMillis(999));
    assertThat(isOver()).isFalse();
    scheduler.advance(Duration.ofMillis(1));
    assertThat(isOver()).isTrue();
  }

  @Test
  void an_end_that_is_reported_before_that_is_its_end() {
    completion.cancelled(UNKNOWN);
    completion.completed(200);
    assertThat(isOver()).isTrue();
    scheduler.advance(Duration.ofSeconds(2));
  }

  @Test
  void one_that_goes_on_ends_when_its_end_is_reported() {
    completion.cancelled(UNKNOWN);
    completion.resumed();
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(isOver()).isFalse();
    completion.completed(200);
    assertThat(isOver()).isTrue();
  }

  @Test
  void one_that_is_reported_again_has_a_second_from_then_on() {
    completion.cancelled(UNKNOWN);
    scheduler.advance(Duration.ofMillis(900));
    completion.cancelled(UNKNOWN);
    scheduler.advance(Duration.ofMillis(900));
    assertThat(isOver()).isFalse();
    scheduler.advance(Duration.ofMillis(100));
    assertThat(isOver()).isTrue();
  }

  @Test
  void a_status_that_was_sent_decides_whether_it_counts() {
    completion.cancelled(Optional.of(Response.of(200)));
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(loginsLeft()).isEqualTo(2);
  }

  @Test
  void one_without_a_status_stays_charged() {
    completion.cancelled(UNKNOWN);
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(loginsLeft()).isEqualTo(1);
  }

  private int loginsLeft() {
    int left = 0;
    Optional<Completion> next = limiter.limit(request.again()).completion();
    while (next.isPresent()) {
      next.get().completed(401);
      left++;
      next = limiter.limit(request.again()).completion();
    }
    return left;
  }

  private boolean isOver() {
    int inFlight = gate.stats().orElseThrow().inFlight();
    Outcome next = limiter.limit(FakeRequest.get("/other"));
    next.completion().ifPresent(it -> it.completed(200));
    boolean isOver = !(next instanceof Rejected);
    assertThat(inFlight).as("its place, with its permit").isEqualTo(isOver ? 0 : 1);
    return isOver;
  }

  private RuleLimiter gated() {
    Overload overload = new Overload(4, 4, 4, RequestMatcher.of("/**"), Map.of());
    gate.follow(Optional.of(overload));
    RuleLimiter.Settings settings = RuleLimiter.Settings.DEFAULT.withOverload(overload);
    return new RuleLimiter(
        List.of(running, logins),
        settings,
        new RuleLimiter.Node(
            store, ManualPermits.queues(store, settings.deadline(), time, scheduler), gate, time));
  }
}

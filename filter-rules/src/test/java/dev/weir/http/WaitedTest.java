package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualPermits;
import dev.weir.fixture.ManualScheduler;
import dev.weir.http.RuleListener.WaitEnd;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.http.spi.Outcome.Passed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long requests have waited, and how their waits have ended. */
class WaitedTest extends LimiterUnderTest {

  private record Waited(String rules, WaitEnd end, Duration time) {}

  private final ManualScheduler turns = new ManualScheduler(time);
  private final List<Waited> waits = new ArrayList<>();
  private final Rule slow =
      Rules.rule("slow", RequestMatcher.of("/**"), "ip", Rules.limit("pace", "1 per 10 seconds"))
          .toBuilder()
          .onDenial(OnDenial.delayUpTo(Duration.ofSeconds(60)))
          .build();
  private final Rule plenty = Rules.matching("/**");
  private final RuleLimiter limiter = delaying();

  private RuleLimiter delaying() {
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onWaited(List<Rule> rules, WaitEnd end, Duration waited) {
            waits.add(new Waited(rules.toString(), end, waited));
          }
        };
    RuleLimiter.Settings settings = RuleLimiter.Settings.DEFAULT.withListener(listener);
    return new RuleLimiter(
        List.of(slow, plenty),
        settings,
        new RuleLimiter.Node(
            store,
            ManualPermits.queues(store, settings.deadline(), time, turns),
            new OverloadGate(time),
            time));
  }

  private Outcome next() {
    return limiter.limit(FakeRequest.get("/").waitingAside());
  }

  private Delayed waiting() {
    assertThat(next()).isInstanceOf(Passed.class);
    return (Delayed) next();
  }

  @Test
  void a_request_that_passes_at_once_has_no_wait() {
    assertThat(next()).isInstanceOf(Passed.class);
    assertThat(waits).isEmpty();
  }

  @Test
  void one_that_is_served_has_waited_for_its_permits() {
    Delayed waiting = waiting();
    assertThat(waits).isEmpty();
    turns.advance(Duration.ofSeconds(10));
    assertThat(waiting.later().toCompletableFuture())
        .isCompletedWithValueMatching(Passed.class::isInstance);
    assertThat(waits).containsExactly(new Waited("[slow]", WaitEnd.SERVED, Duration.ofSeconds(10)));
    assertThat(limiter.counts().delayed()).isEqualTo(Map.of("slow", 1L));
  }

  @Test
  void one_that_leaves_has_waited_until_then() {
    Delayed waiting = waiting();
    turns.advance(Duration.ofSeconds(3));
    waiting.leave();
    assertThat(waits).containsExactly(new Waited("[slow]", WaitEnd.LEFT, Duration.ofSeconds(3)));
    assertThat(limiter.counts().delayed()).isEmpty();
  }

  @Test
  void one_that_is_denied_at_the_end_of_the_node_has_waited_until_then_too() {
    waiting();
    turns.advance(Duration.ofSeconds(4));
    limiter.close();
    assertThat(waits).containsExactly(new Waited("[slow]", WaitEnd.REFUSED, Duration.ofSeconds(4)));
  }
}

package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.DelegatingStore;
import dev.weir.http.spi.Outcome;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The time that a store has for the decisions of one request. */
class DecisionTimeTest {

  private static final Duration WHOLE = Duration.ofSeconds(100);

  private final List<Deadline> deadlines = new ArrayList<>();
  private int count;

  @Test
  void the_only_decision_has_all_of_the_time_and_begins_it_when_it_waits() {
    limit(rule("/a", OnDenial.REJECT), rule("/a", OnDenial.REJECT));
    assertThat(deadlines).containsExactly(Deadline.within(WHOLE));
  }

  @Test
  void all_decisions_of_a_request_have_one_deadline_that_has_begun() {
    limit(rule("/a", OnDenial.REJECT), rule("/a", OnDenial.SHADOW), rule("/a", OnDenial.SHADOW));
    assertThat(deadlines).hasSize(3).allMatch(Deadline::hasBegun);
    assertThat(deadlines).containsOnly(deadlines.get(0));
  }

  @Test
  void rules_that_do_not_match_take_none_of_it() {
    limit(rule("/a", OnDenial.REJECT), rule("/b", OnDenial.SHADOW));
    assertThat(deadlines).containsExactly(Deadline.within(WHOLE));
  }

  private void limit(Rule... rules) {
    LimitStore store = recording(LocalLimitStore.of());
    RuleLimiter.Settings settings = RuleLimiter.Settings.DEFAULT.withDeadline(WHOLE);
    assertThat(RuleLimiter.of(List.of(rules), store, settings).limit(FakeRequest.get("/a")))
        .isInstanceOf(Outcome.Passed.class);
  }

  private Rule rule(String pattern, OnDenial denied) {
    String name = "rule" + count++;
    return Rules.rule(name, RequestMatcher.of(pattern), "ip", Rules.limit(name, "9 per hour"))
        .toBuilder()
        .onDenial(denied)
        .build();
  }

  /** Returns a store that records the deadline, and takes some time. */
  private LimitStore recording(LimitStore store) {
    return new DelegatingStore(store) {
      @Override
      public Decision decide(AcquireRequest request) throws StoreUnavailableException {
        deadlines.add(request.deadline());
        long start = System.nanoTime();
        while (System.nanoTime() == start) {
          Thread.onSpinWait();
        }
        return super.decide(request);
      }
    };
  }
}

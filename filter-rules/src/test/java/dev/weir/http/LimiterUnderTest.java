package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualPermits;
import dev.weir.fixture.ManualTime;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A limiter over a store in process, in the test's own time. */
abstract class LimiterUnderTest {

  static final NamedLimit LOGIN = Rules.limit("login", "2 per minute");
  static final NamedLimit API = Rules.limit("api", "5 per minute");

  final ManualTime time = new ManualTime();
  final LocalLimitStore store = LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));

  @AfterEach
  final void close() {
    store.close();
  }

  RuleLimiter limiter(Rule... rules) {
    return limiter(RuleLimiter.Settings.DEFAULT, rules);
  }

  final RuleLimiter limiter(RuleLimiter.Settings settings, Rule... rules) {
    PermitManager permitManager = ManualPermits.over(store, settings.deadline(), time);
    return new RuleLimiter(
        List.of(rules),
        settings,
        new RuleLimiter.Node(store, WaitQueues.of(permitManager), new OverloadGate(time), time));
  }

  static void exhaust(RuleLimiter limiter, FakeRequest like, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(limiter.limit(like.again())).isInstanceOf(Passed.class);
    }
  }
}

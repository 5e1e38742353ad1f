package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.FakeRequest;
import dev.weir.http.RuleLimiter;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rules, in code or from a file, decide by any store that a limiter for requests is given. */
class RulesTest {

  private static final String YAML =
      """
      rules:
        - { name: login, match: POST /login, subject: ip, limits: 2 per hour }
        - { name: vote, match: POST /vote, subject: ip, limits: 2 per hour, on-outage: deny }
      """;

  @Test
  void rules_of_a_file_decide_by_this_store() {
    TestStore store = TestStore.create();
    try (Weir weir = Weir.of(YAML);
        RuleLimiter limiter = RuleLimiter.of(weir.rules(), store, RuleLimiter.Settings.DEFAULT)) {
      assertThat(limiter.limit(FakeRequest.post("/login"))).isInstanceOf(Passed.class);
      assertThat(limiter.limit(FakeRequest.post("/login"))).isInstanceOf(Passed.class);
      assertThat(limiter.limit(FakeRequest.post("/login"))).isInstanceOf(Rejected.class);

      store.advance(Duration.ofMinutes(30));
      assertThat(limiter.limit(FakeRequest.post("/login"))).isInstanceOf(Passed.class);
      assertThat(limiter.limit(FakeRequest.post("/login"))).isInstanceOf(Rejected.class);

      store.fail();
      assertThat(limiter.limit(FakeRequest.post("/login"))).isInstanceOf(Passed.class);
      assertThat(limiter.limit(FakeRequest.post("/vote")))
          .isInstanceOfSatisfying(
              Rejected.class, rejected -> assertThat(rejected.status()).isEqualTo(503));
    }
  }
}

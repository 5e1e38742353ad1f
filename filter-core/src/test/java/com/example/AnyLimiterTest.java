package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LeakyLimiter;
import dev.weir.Limiter;
import dev.weir.PeriodLimiter;
import dev.weir.TokenLimiter;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A user's code that works with any limiter. */
class AnyLimiterTest {

  private final LocalLimitStore store = LocalLimitStore.of();

  private static String answer(Limiter<?> limiter, Subject subject) {
    Decision decision = limiter.tryAcquire(subject);
    return decision.allowed()
        ? decision.remaining().orElseThrow() + " left"
        : "again in " + decision.retryAfter().orElseThrow().toHours() + " h";
  }

  @Test
  void each_says_what_remains_and_when_to_retry() {
    Subject user = Subject.of("user", "17");
    List<Limiter<?>> limiters =
        List.of(
            TokenLimiter.of("calls", "1 per 10 hours", store),
            PeriodLimiter.of("exports", "1 per 10 hours window", store),
            LeakyLimiter.of("mails", "1 per 10 hours leaky", store));
    for (Limiter<?> limiter : limiters) {
      assertThat(answer(limiter, user)).as(limiter.toString()).isEqualTo("0 left");
      assertThat(answer(limiter, user)).as(limiter.toString()).isEqualTo("again in 9 h");
    }
  }
}

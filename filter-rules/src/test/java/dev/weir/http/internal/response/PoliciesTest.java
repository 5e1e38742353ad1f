package dev.weir.http.internal.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ResponseStyle;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.lang.ref.WeakReference;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The policies of the same limits are formatted once for all subjects. */
class PoliciesTest {

  private final Policies policies = new Policies(ResponseStyle.Fields.DRAFT_11);

  @Test
  void the_same_limits_are_formatted_once_whoever_is_counted() {
    Field first = policy(List.of(verdict("api", "5/s", 1), verdict("daily", "9/d", 1)));
    assertThat(policy(List.of(verdict("api", "5/s", 2), verdict("daily", "9/d", 3))))
        .isSameAs(first);
    assertThat(first.value()).isEqualTo("\"api\";q=5;w=1, \"daily\";q=9;w=86400");
  }

  @Test
  void a_limit_with_other_numbers_is_another_policy() {
    assertThat(policy(List.of(verdict("api", "5/s", 1))).value()).isEqualTo("\"api\";q=5;w=1");
    assertThat(policy(List.of(verdict("api", "7/s", 1))).value()).isEqualTo("\"api\";q=7;w=1");
    assertThat(policy(List.of(verdict("api", "5/s", 1))).value()).isEqualTo("\"api\";q=5;w=1");
  }

  /** {@code Aa} and {@code BB} have one hash, and so one slot. */
  @Test
  void names_that_share_a_slot_are_told_apart() {
    for (int i = 0; i < 3; i++) {
      assertThat(policy(List.of(verdict("Aa", "5/s", i))).value()).startsWith("\"Aa\"");
      assertThat(policy(List.of(verdict("BB", "5/s", i))).value()).startsWith("\"BB\"");
    }
  }

  @Test
  void more_limits_than_there_are_slots_are_told_apart() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 1_000; i++) {
        Field alone = policy(List.of(verdict("limit" + i, "5/s", round)));
        assertThat(alone.value()).isEqualTo("\"limit" + i + "\";q=5;w=1");
      }
    }
  }

  @Test
  void what_a_client_is_counted_by_is_not_kept() {
    WeakReference<Subject> gone = formattedFor(Subject.of("header:x-api-key", "secret"));
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return gone.get() == null;
            });
    assertThat(policy(List.of(verdict("api", "5/s", 1)))).isNotNull();
  }

  private WeakReference<Subject> formattedFor(Subject subject) {
    Counter counter = new Counter("api", Limit.parse("5/s"), subject);
    Field unused = policy(List.of(new Verdict(counter, 1, Retry.NOW, 0)));
    return new WeakReference<>(subject);
  }

  private Field policy(List<Verdict> verdicts) {
    return policies.of(verdicts, verdicts.get(0)).orElseThrow();
  }

  private static Verdict verdict(String name, String limit, int subject) {
    Counter counter = new Counter(name, Limit.parse(limit), Subject.of("user " + subject));
    return new Verdict(counter, 1, Retry.NOW, 0);
  }
}

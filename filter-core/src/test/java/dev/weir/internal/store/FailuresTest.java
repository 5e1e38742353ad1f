package dev.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a log may contain about a failure. */
class FailuresTest {

  private final IllegalStateException failure = new IllegalStateException("key s3cret");

  @Test
  void a_failure_is_told_by_its_type_and_its_place() {
    assertThat(Failures.brief(failure))
        .startsWith("java.lang.IllegalStateException at dev.weir.internal.store.FailuresTest.")
        .doesNotContain("s3cret");
  }

  @Test
  void a_failure_from_nowhere_is_told_by_its_type() {
    failure.setStackTrace(new StackTraceElement[0]);
    assertThat(Failures.brief(failure)).isEqualTo("java.lang.IllegalStateException");
  }

  @Test
  void a_store_that_is_gone_is_told_by_what_is_wrong_with_it() {
    StoreUnavailableException gone =
        new StoreUnavailableException("redis a:1: is out", Duration.ofSeconds(1), failure);
    assertThat(Failures.brief(gone))
        .isEqualTo("dev.weir.store.StoreUnavailableException: redis a:1: is out")
        .doesNotContain("s3cret");
  }
}

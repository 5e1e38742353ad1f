package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a log may hear of a failure. */
class FailuresTest {

  private final IllegalStateException failure = new IllegalStateException("key s3cret");

  @Test
  void a_failure_is_told_by_its_type_and_its_place() {
    assertThat(Failures.brief(failure))
        .startsWith("java.lang.IllegalStateException at dev.weir.FailuresTest.")
        .doesNotContain("s3cret");
  }

  @Test
  void a_failure_from_nowhere_is_told_by_its_type() {
    failure.setStackTrace(new StackTraceElement[0]);
    assertThat(Failures.brief(failure)).isEqualTo("java.lang.IllegalStateException");
  }
}

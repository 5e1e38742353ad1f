package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {

  private final List<String> closed = new ArrayList<>();

  @Test
  void a_part_that_fails_keeps_no_other_open() {
    LinkageError first = new NoClassDefFoundError("first");
    Error second = new BootstrapMethodError("second");
    Exception third = new Exception("third");
    List<AutoCloseable> parts =
        List.of(
            () -> closed.add("one"),
            () -> {
              throw first;
            },
            () -> closed.add("two"),
            () -> {
              throw second;
            },
            () -> {
              throw third;
            },
            () -> closed.add("three"));
    assertThatThrownBy(() -> Closing.all(parts)).isSameAs(first).hasSuppressedException(second);
    assertThat(first.getSuppressed()).containsExactly(second, third);
    assertThat(closed).containsExactly("one", "two", "three");
  }

  @Test
  void an_interrupt_is_kept_and_ends_nothing() {
    List<AutoCloseable> parts =
        List.of(
            () -> {
              throw new InterruptedException();
            },
            () -> closed.add("one"));
    Closing.all(parts);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(closed).containsExactly("one");
  }
}

package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenedTest {

  private final List<String> closed = new ArrayList<>();

  private final Opened opened = new Opened();

  @Test
  void the_last_is_closed_first_and_one_that_fails_keeps_no_other_open() {
    opened.add(() -> closed.add("first"));
    opened.add(() -> fail("second"));
    opened.add(() -> fail("third"));

    assertThatIllegalStateException()
        .isThrownBy(opened::close)
        .satisfies(
            failed ->
                assertThat(failed.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("third", "second"));
    assertThat(closed).containsExactly("third", "second", "first");
  }

  @Test
  void what_failed_before_is_not_lost() {
    Exception why = new IllegalStateException("denied");
    opened.add(() -> fail("one"));

    opened.closeAfter(why);

    assertThat(why).hasMessage("denied");
    assertThat(why.getSuppressed()[0]).hasMessageContaining("one");
  }

  private void fail(String name) throws IOException {
    closed.add(name);
    throw new IOException(name);
  }
}

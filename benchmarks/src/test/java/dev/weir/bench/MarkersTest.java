package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MarkersTest {

  private static final String PAGE =
      "# Written\n\n" + Markers.BEGIN + "\nold\n" + Markers.END + "\n\nand this.\n";

  @Test
  void only_what_is_between_them_is_replaced() {
    assertThat(Markers.replaced(PAGE, "\nnew\nlines\n\n"))
        .isEqualTo(
            "# Written\n\n" + Markers.BEGIN + "\nnew\nlines\n" + Markers.END + "\n\nand this.\n");
  }

  @Test
  void a_second_run_leaves_no_trace_of_the_first() {
    String once = Markers.replaced(PAGE, "one");

    assertThat(Markers.replaced(once, "two")).isEqualTo(Markers.replaced(PAGE, "two"));
  }

  @Test
  void a_page_without_one_is_refused() {
    assertRefused(PAGE.replace(Markers.BEGIN, ""), Markers.BEGIN, "once");
    assertRefused(PAGE.replace(Markers.END, ""), Markers.END, "once");
  }

  @Test
  void so_is_one_with_two_of_them_or_in_the_wrong_order() {
    assertRefused(PAGE + Markers.END, Markers.END, "once");
    assertRefused(Markers.END + Markers.BEGIN, Markers.END, "after " + Markers.BEGIN);
  }

  @Test
  void the_page_of_the_docs_has_both() throws IOException {
    String page = Files.readString(Path.of("../docs/internals/benchmarks.md"));

    assertThat(Markers.replaced(page, "measured")).contains("measured");
  }

  private static void assertRefused(String page, String marker, String expected) {
    assertThatThrownBy(() -> Markers.replaced(page, "new"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("page: " + marker + " (expected: " + expected + ")");
  }
}

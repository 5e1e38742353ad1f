package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page on benchmarks and its chart show what the last whole run has measured. */
class FiguresTest {

  private static final Path DOCS = Path.of("../docs");

  @Test
  void the_page_has_the_figures_of_the_run() throws IOException {
    String page = Files.readString(DOCS.resolve("benchmarks.md"));
    assertThat(Markers.replaced(page, Figures.of(rows()))).isEqualTo(page);
  }

  @Test
  void the_chart_is_that_of_the_run() throws IOException {
    for (Chart chart : Chart.ALL) {
      String shown = Files.readString(chart.in(DOCS.resolve("images")));
      assertThat(shown).isEqualTo(chart.of(rows()));
    }
  }

  private static List<Row> rows() throws IOException {
    return Csv.rows(Files.readString(DOCS.resolve("internals/benchmarks.csv")));
  }
}

package dev.weir.demo;

import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing on the page is cut, on a desk and on a telephone. */
@Full
class PageLayoutIT {

  private static final String UNUSED_RULES =
      """
      const rows = [...document.querySelectorAll('#counted tbody tr')];
      return String(rows.filter(row => row.querySelectorAll('.bar rect').length === 0).length);
      """;

  /** The tables and other boxes that are wider than their place. */
  private static final String CUT =
      """
      return [...document.querySelectorAll('.scroll')]
          .filter(box => box.scrollWidth > box.clientWidth)
          .map(box => box.getAttribute('aria-label') + ': ' + box.scrollWidth + ' in ' + box.clientWidth)
          .join(', ');
      """;

  private Page page;

  @BeforeEach
  void open(@TempDir Path profile) throws IOException {
    page = Page.open(profile);
  }

  @AfterEach
  void close() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void it_fits_a_telephone() {
    page.browser().resize(400, 800);
    await("nothing wider")
        .atMost(Page.PATIENCE)
        .until(
            () -> page.browser().run("return String(document.documentElement.scrollWidth)"),
            "400"::equals);
  }

  @ParameterizedTest
  @ValueSource(ints = {1300, 390})
  void no_table_is_cut_when_every_rule_has_decided(int width) {
    page.browser().resize(width, 844);
    page.demo().node(0).post("/login");
    page.demo().node(0).get("/rest/reports/7");
    page.send("wide", 60, 100);
    page.press("#compare");
    await().atMost(Page.PATIENCE).until(() -> page.text("#compare-summary").equals("Done."));
    await("every rule has decided")
        .atMost(Page.PATIENCE)
        .until(() -> page.browser().run(UNUSED_RULES), "0"::equals);
    await("nothing cut").atMost(Page.PATIENCE).until(() -> page.browser().run(CUT), ""::equals);
  }
}

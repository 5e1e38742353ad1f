package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The charts have the colours of the page, as its legends say, in light and in dark. */
@Full
class PageColoursIT {

  /** Whether a canvas has a pixel of exactly the colour that a variable of the page has now. */
  private static final String DRAWN =
      """
      const canvas = document.querySelector('%s');
      const paint = new OffscreenCanvas(1, 1).getContext('2d');
      paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--%s').trim();
      paint.fillRect(0, 0, 1, 1);
      const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) {
        if (data[i] === red && data[i + 1] === green && data[i + 2] === blue && data[i + 3] === 255) {
          return 'drawn';
        }
      }
      return 'absent';
      """;

  private static final String BAR_COLOUR =
      """
      const [bar] = Chart.getChart(document.querySelector('#chart')).getDatasetMeta(0).data;
      return bar.options.backgroundColor;
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
  void the_bars_have_the_colours_of_the_page_in_light_and_in_dark() {
    page.send("painter", 40, 100);
    for (String scheme : new String[] {"light", "dark", "light"}) {
      page.browser().prefer("color-scheme", scheme);
      awaitDrawn(scheme, "#chart", "allowed");
      awaitDrawn(scheme, "#chart", "denied");
      assertThat(page.browser().run(BAR_COLOUR)).as(scheme).isEqualTo(variable("allowed"));
    }
  }

  @Test
  void the_pictures_of_the_limits_have_the_colours_of_the_page_in_light_and_in_dark() {
    page.press("#compare");
    await().atMost(Page.PATIENCE).until(() -> page.text("#compare-summary").startsWith("Done."));
    for (String scheme : new String[] {"light", "dark", "light"}) {
      page.browser().prefer("color-scheme", scheme);
      for (Pattern pattern : Pattern.values()) {
        String canvas = "#picture-" + pattern.slug() + " canvas";
        awaitDrawn(scheme, canvas, "allowed");
        awaitDrawn(scheme, canvas, "quiet");
        awaitDrawn(scheme, canvas, "denied");
      }
    }
  }

  private void awaitDrawn(String scheme, String canvas, String variable) {
    await(scheme + ": " + canvas + " has --" + variable)
        .atMost(Page.PATIENCE)
        .until(() -> page.browser().run(DRAWN.formatted(canvas, variable)), "drawn"::equals);
  }

  private String variable(String name) {
    return page.browser()
        .run(
            "return getComputedStyle(document.documentElement).getPropertyValue('--%s').trim()"
                .formatted(name));
  }
}

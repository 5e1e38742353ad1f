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

/** What a first visitor sees: a page that does something, unless less motion is preferred. */
@Full
class PageTourIT {

  /** When the first bar was there, in milliseconds since the page was requested. */
  private static final String FIRST_BAR =
      """
      const bars = () => Chart.getChart(document.querySelector('#chart'))?.data.datasets[0].data ?? [];
      return new Promise(resolve => {
        const timer = setInterval(() => {
          if (bars().some(count => count > 0)) {
            clearInterval(timer);
            resolve(String(performance.now()));
          }
        }, 20);
      });
      """;

  /** Two seconds, and as much again for a machine that is busy. */
  private static final double SOON_MILLIS = 4000;

  private static final String TOP_OF_AXIS =
      """
      return import('./static/js/axis.js').then(({SteadyTop}) => {
        const top = new SteadyTop();
        return [[1, 0], [9, 1], [31, 2], [5, 11], [5, 13]]
            .map(([value, second]) => top.above([value], second * 1000)).join(' ');
      });
      """;

  private Page page;

  @BeforeEach
  void start(@TempDir Path profile) throws IOException {
    page = Page.start(profile);
  }

  @AfterEach
  void close() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void the_first_visit_sends_ten_seconds_of_requests_and_says_so() {
    page.visit();
    assertThat(Double.parseDouble(page.browser().run(FIRST_BAR))).isLessThan(SOON_MILLIS);
    assertThat(page.text("#tour")).contains("this page sends 8 requests a second", "Stop");
    await().atMost(Page.PATIENCE).until(() -> page.text("#tour").contains("That was"));
    assertThat(page.text("#tour")).containsPattern("[23]\\d allowed, [45]\\d denied");
    page.visit();
    assertThat(page.browser().run("return String(document.querySelector('#tour').hidden)"))
        .as("hidden at the second visit")
        .isEqualTo("true");
  }

  @Test
  void it_can_be_stopped() {
    page.visit();
    page.press("#tour-stop");
    await().atMost(Page.PATIENCE).until(() -> page.text("#tour").contains("That was"));
    assertThat(page.number("#total-allowed") + page.number("#total-denied")).isLessThan(80);
    assertThat(page.text("#summary")).startsWith("Stopped");
  }

  @Test
  void it_is_only_offered_where_less_motion_is_preferred() {
    page.browser().prefer("reduced-motion", "reduce");
    page.visit();
    await().atMost(Page.PATIENCE).until(() -> page.text("#tour").contains("Try 10 seconds"));
    assertThat(page.text("#summary")).isEqualTo("Nothing sent yet.");
    page.press("#tour-start");
    await().atMost(Page.PATIENCE).until(() -> page.text("#summary").startsWith("Sending"));
  }

  @Test
  void the_axis_rises_at_once_and_sinks_after_ten_seconds() {
    page.visit();
    assertThat(page.browser().run(TOP_OF_AXIS)).isEqualTo("4 10 40 40 6");
  }
}

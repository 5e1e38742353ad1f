package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, in a real browser where one is installed. */
@Full
class PageIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private DemoProcess demo;
  private Browser browser;

  @BeforeEach
  void open(@TempDir Path profile) throws IOException {
    Browser.missing().ifPresent(reason -> System.out.println("PageIT is skipped: " + reason));
    assumeThat(Browser.missing()).isEmpty();
    demo = DemoProcess.start();
    browser = new Browser(profile, 1280, 900);
    browser.open("http://localhost:" + demo.port() + "/");
    await("both nodes").atMost(PATIENCE).until(() -> text("#nodes").contains("Redis decides"));
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
    }
    if (demo != null) {
      demo.close();
    }
  }

  @Test
  void a_burst_over_both_nodes_is_drawn_and_its_last_answer_shown() {
    send("bob", 60, 100);
    assertThat(number("#total-allowed")).isGreaterThanOrEqualTo(10);
    assertThat(number("#total-denied")).isPositive();
    assertThat(number("#total-allowed") + number("#total-denied")).isEqualTo(60);
    awaitDenial("bob");
    assertThat(text("#answer-fields")).contains("Retry-After", "RateLimit", "\"api\";r=0;t=1");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(text("#counted"))
                    .contains(String.valueOf(demo.port()), String.valueOf(demo.port() + 1))
                    .contains("api", "denied"));
    assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("429"));
  }

  @Test
  void it_shows_who_decides_while_redis_is_gone_and_back() {
    press("#redis-actions [data-action=kill]");
    await().atMost(PATIENCE).until(() -> text("#redis-lamp").equals("stopped"));
    send("eve", 20, 20);
    await().atMost(PATIENCE).until(() -> text("#nodes").contains("decides in process"));
    press("#redis-actions [data-action=start]");
    await().atMost(PATIENCE).until(() -> !text("#nodes").contains("decides in process"));
    assertThat(number("#total-failed")).isZero();
  }

  @Test
  void the_same_burst_is_drawn_for_each_kind_of_limit() {
    press("#compare");
    await().atMost(PATIENCE).until(() -> text("#compare-summary").equals("Done."));
    for (Pattern pattern : Pattern.values()) {
      assertThat(text("#picture-" + pattern.slug() + " .counts"))
          .matches("[1-9]\\d* admitted, [1-9]\\d* denied");
    }
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void it_fits_a_telephone() {
    browser.resize(400, 800);
    await("nothing wider")
        .atMost(PATIENCE)
        .until(
            () -> browser.run("return String(document.documentElement.scrollWidth)"),
            "400"::equals);
  }

  /** The last answer of a burst may be the one that had waited long enough. */
  private void awaitDenial(String key) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              send(key, 3, 100);
              return text("#answer-status").equals("429");
            });
  }

  private void send(String key, int count, int rate) {
    browser.run(
        """
        document.querySelector('#key').value = '%s';
        document.querySelector('#count').value = %d;
        document.querySelector('#rate').value = %d;
        """
            .formatted(key, count, rate));
    press("#send .primary");
    await().atMost(PATIENCE).until(() -> text("#summary").startsWith("Done"));
  }

  private void press(String selector) {
    browser.run("document.querySelector('" + selector + "').click()");
  }

  private String text(String selector) {
    return browser.run("return document.querySelector('" + selector + "').innerText");
  }

  private int number(String selector) {
    return Integer.parseInt(text(selector));
  }
}

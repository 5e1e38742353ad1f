package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The page of a running demo in a real browser, and what a visitor does and sees there. */
final class Page implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final DemoProcess demo;
  private final Browser browser;

  private Page(DemoProcess demo, Browser browser) {
    this.demo = demo;
    this.browser = browser;
  }

  /** Opens it as one that has been used: a node has allowed one request, a login. */
  static Page open(Path profile) throws IOException {
    Page page = start(profile);
    assertThat(page.demo.node(0).post("/login").isPassed()).isTrue();
    return page.visit();
  }

  /** Starts it; skips the test where no browser is installed. */
  static Page start(Path profile) throws IOException {
    Browser.missing().ifPresent(reason -> System.out.println("Skipped: " + reason));
    assumeThat(Browser.missing()).isEmpty();
    return new Page(DemoProcess.start(), new Browser(profile, 1300, 900));
  }

  /** Visits the first node and waits until both nodes decide. */
  Page visit() {
    browser.open("http://localhost:" + demo.port() + "/");
    await("both nodes")
        .atMost(PATIENCE)
        .until(() -> text("#nodes").split("Redis decides", -1).length == 3);
    return this;
  }

  DemoProcess demo() {
    return demo;
  }

  Browser browser() {
    return browser;
  }

  /** Sends a burst to {@code /api/hello} and waits for its end. */
  void send(String key, int count, int rate) {
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

  void press(String selector) {
    browser.run("document.querySelector('" + selector + "').click()");
  }

  String text(String selector) {
    return browser.run("return document.querySelector('" + selector + "').innerText");
  }

  int number(String selector) {
    return Integer.parseInt(text(selector).replace(",", ""));
  }

  @Override
  public void close() {
    browser.close();
    demo.close();
  }
}

package dev.weir.demo;

import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing on the page is cut, on a desk and on a telephone. */
@Full
class PageLayoutIT {

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
}

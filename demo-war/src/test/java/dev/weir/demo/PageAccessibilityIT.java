package dev.weir.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page breaks no rule of accessibility that axe-core knows, with everything open and shown. */
@Full
class PageAccessibilityIT {

  private static final String VIOLATIONS =
      """
      return axe.run(document).then(({violations}) => violations
          .map(({id, help, nodes}) => id + ': ' + help + ' ' + nodes.map(it => it.html).join(' '))
          .join('\\n'));
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

  @ParameterizedTest
  @CsvSource({"1300, light", "1300, dark", "390, dark", "360, dark"})
  void axe_finds_nothing(int width, String scheme) throws IOException {
    page.browser().prefer("color-scheme", scheme);
    page.browser().resize(width, 900);
    page.browser().run("document.querySelectorAll('details').forEach(it => { it.open = true; })");
    page.send("bob", 60, 100);
    await().atMost(Page.PATIENCE).until(() -> !page.text("#top tbody").isEmpty());
    page.browser().run(script());
    assertThat(page.browser().run(VIOLATIONS)).isEmpty();
    page.browser().run("document.documentElement.removeAttribute('lang')");
    assertThat(page.browser().run(VIOLATIONS)).as("it looks").contains("html-has-lang");
  }

  private static String script() throws IOException {
    try (InputStream script =
        Objects.requireNonNull(
            PageAccessibilityIT.class.getResourceAsStream("/axe.min.js"), "axe.min.js")) {
      return new String(script.readAllBytes(), UTF_8);
    }
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.internal.document.Variables;
import dev.weir.fixture.Documents;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages show of a denial and of an error is what is sent and what is printed. */
class DocumentedFilesTest {

  private static final Variables NONE = FakeVariables.of(Map.of(), Map.of());

  @Test
  void the_denial_of_the_page_is_the_one_that_is_sent() {
    String page = "docs/denials.md";
    String shown = first(page, "http");
    try (Weir weir = Weir.of(first(page, "yaml"))) {
      for (int i = 0; i < 5; i++) {
        assertThat(weir.limiter().limit(FakeRequest.post("/login"))).isInstanceOf(Passed.class);
      }
      Rejected sixth = (Rejected) weir.limiter().limit(FakeRequest.post("/login"));
      String seconds = sixth.fields().get(0).value(); // fewer after a pause of this machine
      assertThat(printed(sixth)).isEqualTo(shown.replace("12", seconds));
    }
  }

  private static String printed(Rejected denied) {
    Body.Text body = (Body.Text) denied.body();
    Stream<String> fields = denied.fields().stream().map(it -> it.name() + ": " + it.value());
    return String.join(
        "\n",
        "HTTP/1.1 " + denied.status() + " Too Many Requests",
        fields.collect(Collectors.joining("\n")),
        "Content-Type: " + body.contentType(),
        "",
        body.text(),
        "");
  }

  @Test
  void the_error_of_the_page_is_the_one_that_is_printed() {
    String page = "docs/rules.md";
    String misspelt = first(page, "yaml").replace("limits: [login]", "limits: [logn]");
    String reported = Complaints.of(() -> Weirs.settings(misspelt, NONE)).get(0).toString();
    assertThat(Documents.blocks(page)).contains("/WEB-INF/" + reported + "\n");
  }

  private static String first(String page, String language) {
    return Documents.fenced(page).stream()
        .filter(block -> block.language().equals(language))
        .map(Documents.Block::text)
        .findFirst()
        .orElseThrow();
  }
}

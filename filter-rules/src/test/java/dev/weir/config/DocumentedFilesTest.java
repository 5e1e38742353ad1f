package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.internal.document.Variables;
import dev.weir.fixture.Documents;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files that the documents show are files, and their errors are the ones that are printed. */
class DocumentedFilesTest {

  private static final Variables NONE = FakeVariables.of(Map.of(), Map.of());

  @Test
  void the_readmes_file_is_read() {
    String yaml = yaml("README.md");
    assertThat(Weirs.settings(yaml, NONE).rules().enabled()).hasSize(2);
  }

  @Test
  void the_guides_file_is_read() {
    assertThat(Weirs.settings(yaml("docs/guide.md"), NONE).rules().enabled()).hasSize(3);
  }

  @Test
  void the_guides_denial_is_the_one_that_is_sent() {
    String shown =
        Documents.blocks("docs/guide.md").stream()
            .filter(block -> block.startsWith("HTTP/1.1 429"))
            .findFirst()
            .orElseThrow();
    try (Weir weir = Weir.of(yaml("docs/guide.md").replace("nodes: 3", "nodes: 1"))) {
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
  void the_guides_error_is_the_one_that_is_printed() {
    List<String> blocks = Documents.blocks("docs/guide.md");
    String shown = blocks.get(blocks.size() - 1).strip();
    String misspelt = yaml("docs/guide.md").replace("limits: [login]", "limits: [logn]");
    String reported = Complaints.of(() -> Weirs.settings(misspelt, NONE)).get(0).toString();
    assertThat("/WEB-INF/" + reported).isEqualTo(shown);
  }

  /** The first block that says what rules there are. */
  private static String yaml(String document) {
    return Documents.blocks(document).stream()
        .filter(block -> block.contains("\nrules:\n"))
        .findFirst()
        .orElseThrow();
  }
}

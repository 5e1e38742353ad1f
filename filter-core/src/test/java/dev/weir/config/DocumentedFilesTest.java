package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Documents;
import dev.weir.config.internal.document.Variables;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The files that the documents show are files, and their errors are the ones that are printed. */
class DocumentedFilesTest {

  private static final Variables NONE = FakeVariables.of(Map.of(), Map.of());

  @Test
  void the_readmes_file_is_read() {
    String yaml = yaml("README.md");
    assertThat(Weirs.settings(yaml, NONE).rules()).hasSize(2);
  }

  @Test
  void the_guides_file_is_read() {
    assertThat(Weirs.settings(yaml("docs/guide.md"), NONE).rules()).hasSize(3);
  }

  @Test
  void the_guides_error_is_the_one_that_is_printed() {
    List<String> blocks = Documents.blocks("docs/guide.md");
    String shown = blocks.get(blocks.size() - 1).strip();
    String misspelt = yaml("docs/guide.md").replace("limits: [login]", "limits: [logn]");
    String told = Complaints.of(() -> Weirs.settings(misspelt, NONE)).get(0).toString();
    assertThat("/WEB-INF/" + told).isEqualTo(shown);
  }

  /** The first block that says what rules there are. */
  private static String yaml(String document) {
    return Documents.blocks(document).stream()
        .filter(block -> block.contains("\nrules:\n"))
        .findFirst()
        .orElseThrow();
  }
}

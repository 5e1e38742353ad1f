package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus itself accepts the files, and its own tests raise each alert. */
class PromtoolTest {

  private final Promtool promtool = Promtool.orSkip();

  @Test
  void the_alerts_are_valid() throws Exception {
    Path rules = Documents.root().resolve("docs/prometheus-rules.yml");
    assertThat(promtool.run("", "check", "rules", rules.toString())).contains("SUCCESS");
  }

  @Test
  void each_alert_is_raised_by_its_trouble_and_by_nothing_else() throws Exception {
    for (String tests : List.of("rules-test.yml", "trial-test.yml")) {
      Path file = Path.of("src/test/prometheus", tests).toAbsolutePath();
      assertThat(promtool.run("", "test", "rules", file.toString())).contains("SUCCESS");
    }
  }

  @Test
  void the_expressions_of_panels_are_valid(@TempDir Path directory) throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n  - name: panels\n    rules:\n");
    List<String> expressions = PrometheusFilesTest.expressions("docs/grafana.json");
    for (int i = 0; i < expressions.size(); i++) {
      String expression = expressions.get(i).replaceAll("\\$__\\w+", "5m");
      rules.append("    - { record: 'panel:%d', expr: '%s' }\n".formatted(i, expression));
    }
    Path file = Files.writeString(directory.resolve("panels.yml"), rules);
    assertThat(promtool.run("", "check", "rules", file.toString())).contains("SUCCESS");
  }

  @Test
  void a_scrape_has_no_lint() throws Exception {
    try (MeteredWeir weir = new MeteredWeir()) {
      assertThat(promtool.run(weir.scraped(), "check", "metrics")).isEmpty();
    }
  }
}

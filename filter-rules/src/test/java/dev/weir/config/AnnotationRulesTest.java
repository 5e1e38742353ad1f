package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.fixture.LogCapture;
import dev.weir.http.FakeRequest;
import java.net.URL;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules and limits for annotations, in an application that has no {@code @RateLimited}. */
class AnnotationRulesTest {

  private static final String YAML =
      """
      limits: { a: 1 per hour, b: 1 per hour }
      rules:
        - { name: all, match: /**, limits: 1 per hour }
        - { name: reports, match: %s, limits: a }
      """;

  @Test
  void a_rule_for_annotations_matches_no_request() {
    try (Weir weir = open("annotations")) {
      assertThat(weir.rules().get(1).match()).isEmpty();
      assertThat(Weirs.bound(weir, RuleReference.of("Reports.list", "reports")))
          .isEqualTo(weir.rules().subList(1, 2));
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/reports"))).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/annotations",
        "/annotations/**",
        "/v1/annotations",
        "/api/annotations",
        "/quotations"
      })
  void a_path_that_reads_like_the_word_is_a_path(String path) {
    String yaml = "rules: [{ name: paths, match: %s, limits: 1 per hour }]".formatted(path);
    String place = path.replace("**", "1");
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get(place))).isEqualTo(1);
    }
  }

  @Test
  void it_is_warned_of_where_there_are_no_annotations() {
    assertThat(log("annotations", Level.WARNING))
        .containsExactly(
            "/WEB-INF/weir.yaml: rule 'reports' has no pattern to match and is for annotations, but there is no @RateLimited in this application: it limits nothing");
    assertThat(log("/reports", Level.WARNING)).isEmpty();
  }

  @Test
  void a_limit_that_nothing_uses_is_told_there_too() {
    assertThat(log("/reports", Level.INFO))
        .contains("/WEB-INF/weir.yaml: no rule uses b: nothing is limited by it");
  }

  @Test
  void where_there_are_annotations_it_is_told_that_only_they_use_them() {
    ClassLoader annotated =
        new ClassLoader(Weirs.application()) {
          @Override
          protected @Nullable URL findResource(String name) {
            return name.equals("dev/weir/jaxrs/RateLimited.class")
                ? AnnotationRulesTest.class.getResource("AnnotationRulesTest.class")
                : null;
          }
        };
    assertThat(notes("annotations", annotated))
        .containsExactly(
            "unused limits, b: they apply where @RateLimited names them",
            "rules for annotations, reports: they apply where @RateLimited names them");
    assertThat(notes("/reports", annotated))
        .containsExactly("unused limits, b: they apply where @RateLimited names them");
  }

  private static List<String> notes(String match, ClassLoader application) {
    ConfigDocument document = ConfigDocument.File.of("weir.yaml", YAML.formatted(match));
    return SettingsReader.read(document, FakeVariables.EMPTY, application).origin().notes();
  }

  private static List<String> log(String match, Level level) {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = open(match)) {
      assertThat(weir.rules()).hasSize(2);
      return log.records().stream()
          .filter(line -> line.getLevel().equals(level))
          .map(LogRecord::getMessage)
          .toList();
    }
  }

  private static Weir open(String match) {
    return Weir.open(Weirs.webInf(YAML.formatted(match), Weirs.application()));
  }
}

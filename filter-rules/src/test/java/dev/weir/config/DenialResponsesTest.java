package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.DenialResponse;
import dev.weir.http.DenialResponse.Json;
import dev.weir.http.DenialResponse.Page;
import dev.weir.http.FakeRequest;
import dev.weir.http.OnDenial;
import dev.weir.http.Rule;
import dev.weir.http.spi.Outcome.Body.Text;
import dev.weir.http.spi.Outcome.Rejected;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which response a file gives to the denials of its rules. */
class DenialResponsesTest {

  @Test
  void the_map_of_a_rule_differs_from_that_of_all_key_by_key() {
    String yaml =
        """
        responses: { denied: { status: 503, headers: { X-A: a, X-B: b }, forward: /too-many } }
        rules:
          - { name: usual, match: /a, limits: 1/s }
          - { name: status, match: /a, limits: 1/s, denied: { status: 429 } }
          - { name: headers, match: /a, limits: 1/s, denied: { headers: { X-C: c } } }
          - { name: other, match: /a, limits: 1/s, denied: { forward: /other, json: { a: 1 } } }
          - { name: word, match: /a, limits: 1/s, denied: problem }
          - { name: page, match: /a, limits: 1/s, on-denial: delay up to 1s, denied: error-page }
          - { name: shadow, match: /a, limits: 1/s, on-denial: shadow }
        """;
    DenialResponse all =
        DenialResponse.PROBLEM
            .withStatus(503)
            .withHeaders(Map.of("X-A", "a", "X-B", "b"))
            .withForward("/too-many");
    assertThat(responses(yaml))
        .containsExactly(
            Optional.of(all),
            Optional.of(all.withStatus(429)),
            Optional.of(all.withHeaders(Map.of("X-C", "c"))),
            Optional.of(all.withForward("/other").withJson("{\"a\":1}")),
            Optional.of(DenialResponse.PROBLEM),
            Optional.of(DenialResponse.ERROR_PAGE),
            Optional.empty());
  }

  @Test
  void a_map_beside_the_word_for_the_error_page_keeps_the_page() {
    String yaml =
        """
        responses: { denied: error-page }
        rules:
          - { name: a, match: /a, limits: 1/s, denied: { status: 503 } }
          - { name: b, match: /a, limits: 1/s, denied: { json: problem } }
        """;
    assertThat(responses(yaml))
        .containsExactly(
            Optional.of(DenialResponse.ERROR_PAGE.withStatus(503)),
            Optional.of(DenialResponse.ERROR_PAGE.withProblem()));
    assertThat(DenialResponse.ERROR_PAGE.withProblem().page()).contains(new Page.ErrorPage());
  }

  @Test
  void nothing_is_set_where_nothing_is_written() {
    assertThat(Weirs.settings("rules: [{ name: a, match: /a, limits: 1/s }]").rules().enabled())
        .extracting(Rule::onDenial)
        .containsExactly(OnDenial.REJECT);
  }

  @Test
  void an_object_is_what_it_is_in_JSON() {
    String yaml =
        """
        responses:
          denied:
            json:
              text: plain
              quoted: "1"
              "a \\"key\\"": 'it''s "so"\\'
              numbers: [1, -2.5, 1e3, 007]
              flags: [true, false, "true", yes]
              nothing: [~, null, "", '', "null"]
              empty: { list: [], map: {} }
              lines: |
                one
                two
              wait: "{seconds}"
        rules: [{ name: a, match: /a, limits: 1/s }]
        """;
    Json.Own own = (Json.Own) responses(yaml).get(0).orElseThrow().json().orElseThrow();
    assertThat(own.text())
        .isEqualTo(
            "{\"text\":\"plain\",\"quoted\":\"1\",\"a \\\"key\\\"\":\"it's \\\"so\\\"\\\\\","
                + "\"numbers\":[1,-2.5,1e3,\"007\"],\"flags\":[true,false,\"true\",\"yes\"],"
                + "\"nothing\":[null,null,\"\",\"\",\"null\"],\"empty\":{\"list\":[],\"map\":{}},"
                + "\"lines\":\"one\\u000atwo\",\"wait\":\"{seconds}\"}");
  }

  /** A page of the application wins over a file of that name. */
  @Test
  void a_page_is_one_of_the_application_or_the_class_path_or_a_file(@TempDir Path directory)
      throws Exception {
    Path file = Files.writeString(directory.resolve("page.html"), "of a file");
    String yaml =
        """
        rules:
          - { name: a, match: /a, limits: 1/s, denied: { html: /WEB-INF/too-many.html } }
          - { name: b, match: /a, limits: 1/s, denied: { html: %s } }
          - { name: c, match: /a, limits: 1/s, denied: { html: classpath:com/example/page.html } }
        """
            .formatted(file);
    ClassLoader application =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          public @Nullable InputStream getResourceAsStream(String name) {
            return name.equals("com/example/page.html")
                ? bytes("of the class path")
                : super.getResourceAsStream(name);
          }
        };
    WeirSource source =
        new WeirSource(
            "limits",
            Map.of(),
            path ->
                switch (path) {
                  case "/WEB-INF/weir.yaml" -> bytes(yaml);
                  case "/WEB-INF/too-many.html" -> bytes("größer");
                  default -> null;
                },
            application);
    try (Weir weir = Weir.open(source)) {
      assertThat(weir.rules())
          .extracting(rule -> rule.onDenial().response().orElseThrow().page().orElseThrow())
          .containsExactly(
              new Page.Html("größer"),
              new Page.Html("of a file"),
              new Page.Html("of the class path"));
    }
  }

  @Test
  void a_page_is_read_again_when_the_file_is(@TempDir Path directory) throws Exception {
    String yaml =
        """
        responses: { denied: { html: %s } }
        rules: [{ name: a, match: /a, limits: 1 per hour }]
        """;
    Path page = Files.writeString(directory.resolve("page.html"), "old");
    LiveFile file = new LiveFile(directory, yaml.formatted(page));
    try (Weir weir = file.open()) {
      assertThat(Weirs.passes(weir, browser())).isTrue();
      assertThat(page(weir)).isEqualTo("old");
      Files.writeString(page, "new");
      weir.reload();
      assertThat(page(weir)).isEqualTo("new");
      Files.delete(page);
      assertThat(Complaints.only(weir::reload).expected()).isEqualTo("a page that exists");
      assertThat(page(weir)).as("the previous configuration stays").isEqualTo("new");
    }
  }

  @Test
  void the_rule_of_an_annotation_answers_as_all_do() {
    String yaml = "responses: { denied: { json: { all: true } } }\nlimits: { one: 1 per hour }";
    try (Weir weir = Weir.of(yaml)) {
      List<Rule> rules = Weirs.bound(weir, RuleReference.of("Reports.list", "one"));
      weir.limiter().limit(FakeRequest.get("/"), rules);
      Rejected denied = (Rejected) weir.limiter().limit(FakeRequest.get("/"), rules);
      assertThat(((Text) denied.body()).text()).isEqualTo("{\"all\":true}");
    }
  }

  private static List<Optional<DenialResponse>> responses(String yaml) {
    return Weirs.settings(yaml).rules().enabled().stream()
        .map(rule -> rule.onDenial().response())
        .toList();
  }

  private static String page(Weir weir) {
    return ((Text) ((Rejected) weir.limiter().limit(browser())).body()).text();
  }

  private static FakeRequest browser() {
    return FakeRequest.get("/a").header("Accept", "text/html");
  }

  private static ByteArrayInputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}

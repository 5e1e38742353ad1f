package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static dev.weir.config.BadCase.rule;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with a wrong response to denials. */
class BadDenialResponsesTest {

  private static final String WHOLE =
      "problem, error-page, or a map with status, headers, html, json and forward";
  private static final String PLACEHOLDERS =
      "{seconds}, {limit} or {rule}; other braces have a blank in them, as in { x }";

  @ParameterizedTest
  @MethodSource({"words", "keys", "statuses", "headers", "pages", "objects", "rules"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> words() {
    return Stream.of(
        bad("responses: { denied: »html }", "responses.denied", "'html'", WHOLE),
        bad("responses: { denied: »problems }", "responses.denied", "'problems'", WHOLE)
            .suggests("problem"),
        bad("responses: { denied: »[problem] }", "responses.denied", "a list", WHOLE),
        bad("responses: { denied: »503 }", "responses.denied", "'503'", WHOLE),
        rule("name: r, limits: a, denied: »192.0.2.0/24", "denied", "'192.0.2.0/24'", WHOLE));
  }

  static Stream<BadCase> keys() {
    return Stream.of(
        denied("»satus: 503", ".satus", "'satus'", "one of status, headers").suggests("status"),
        denied("»code: 503", ".code", "'code'", "status: 429 or 503"),
        denied("»body: x", ".body", "'body'", "html: a page, or json: an object"),
        denied(
            "»error-page: x", ".error-page", "'error-page'", "denied: error-page, without a map"),
        denied("headers: »X-A", ".headers", "'X-A'", "fields by name, such as"),
        denied("json: »true", ".json", "'true'", "problem, or a map such as"),
        denied("json: »[1]", ".json", "a list", "problem, or a map such as"),
        denied("forward: »too-many", ".forward", "'too-many'", "starts with /, without blanks"),
        denied("forward: »'/too many'", ".forward", "'/too many'", "starts with /"));
  }

  static Stream<BadCase> statuses() {
    return Stream.of(
        denied("status: »500", ".status", "'500'", "429, 503").suggests("503"),
        denied("status: »200", ".status", "'200'", "429, 503"));
  }

  static Stream<BadCase> headers() {
    return Stream.of(
        denied(
            "headers: { 'X Docs': »a }",
            ".headers.X Docs",
            "'X Docs'",
            "the name of a field, such as X-Denied-By"),
        denied(
            "headers: { X-A: 1, Retry-After: »5 }",
            ".headers.Retry-After",
            "'Retry-After'",
            "no Retry-After: each denial has the right one already"),
        denied(
            "headers: { ratelimit-limit: »5 }",
            ".headers.ratelimit-limit",
            "'ratelimit-limit'",
            "no field of limits: 'fields' and 'legacy-headers' choose those"),
        denied(
            "headers: { Set-Cookie: »a=b }",
            ".headers.Set-Cookie",
            "'Set-Cookie'",
            "no cookie: it would replace those of the application"),
        denied(
            "headers: { X-A: »\"a\\r\\nX-Evil: 1\" }",
            ".headers.X-A",
            "'a\\u000d\\u000aX-Evil: 1'",
            "a value of printable ASCII on one line"),
        denied("headers: { X-A: »'{rulle}' }", ".headers.X-A", "'{rulle}'", PLACEHOLDERS)
            .suggests("{rule}"),
        denied("headers: { X-A: 1, x-a: »2 }", ".headers.x-a", "'x-a'", "each field once"),
        denied("headers: { X-A: »'' }", ".headers.X-A", "nothing", "the value of a field"),
        denied("headers: { X-A: »[a, b] }", ".headers.X-A", "a list", "the value of a field"));
  }

  static Stream<BadCase> pages() {
    return Stream.of(
        denied(
            "html: »/WEB-INF/too-many.html",
            ".html",
            "'/WEB-INF/too-many.html'",
            "a page that exists"),
        denied("html: »classpath:absent.html", ".html", "'classpath:absent.html'", "that exists"),
        denied("html: »'<h1>Too many</h1>'", ".html", "'<h1>Too many</h1>'", "a page, as a path"),
        denied("html: »[a]", ".html", "a list", "a page, as a path in the application such as"),
        denied(
            "html: /x.html, forward: »/x",
            ".forward",
            "forward together with html",
            "only one of html, forward"));
  }

  static Stream<BadCase> objects() {
    return Stream.of(
        denied("json: { error: x, wait: »'{secs}' }", ".json.wait", "'{secs}'", PLACEHOLDERS)
            .suggests("{seconds}"),
        denied(
            "json: { a: [{ b: »'in {minutes}' }] }", ".json.a[0].b", "'{minutes}'", PLACEHOLDERS),
        denied("json: »{ '{x}': 1 }", ".json", "'{x}'", PLACEHOLDERS),
        denied("json: { a: 1, »a: 2 }", ".json.a", "a second 'a'", "it once"),
        denied(
            "json: { a: »'${ABSENT}' }", ".json.a", "${ABSENT}, which is not set", "a variable"));
  }

  static Stream<BadCase> rules() {
    return Stream.of(
        rule(
            "name: r, limits: a, on-denial: shadow, denied: »problem",
            "denied",
            "a response",
            "none, because 'on-denial' lets pass what this rule denies"),
        rule(
            "name: r, limits: a, on-denial: degrade to /x, denied: »{ status: 503 }",
            "denied",
            "a response",
            "none, because 'on-denial' lets pass what this rule denies"),
        rule(
            "name: r, deny: 192.0.2.0/24, denied: »problem",
            "denied",
            "a response",
            "none, because clients that 'deny' refuses get 403"),
        rule("name: r, limits: a, denied: { »stauts: 503 }", "denied.stauts", "'stauts'", "one of")
            .suggests("status"),
        bad(
            "responses: { legacy-reset: »epoch }",
            "responses.legacy-reset",
            "'epoch'",
            "'legacy-headers: true' too, which sends that field"),
        bad(
            "responses: { legacy-headers: true, legacy-reset: »unix }",
            "responses.legacy-reset",
            "'unix'",
            "seconds, epoch"));
  }

  private static BadCase denied(String body, String field, String found, String expected) {
    return bad(
        "responses:\n  denied: { " + body + " }\n", "responses.denied" + field, found, expected);
  }

  @Test
  void a_page_that_is_too_large_or_no_text_or_has_unknown_placeholders_is_refused(
      @TempDir Path directory) throws IOException {
    Path page = directory.resolve("page.html");
    Files.write(page, new byte[(256 << 10) + 1]);
    assertThat(problem(page)).isEqualTo("'" + page + "': a page of 256 KiB at most");
    Files.write(page, "größer".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(problem(page)).isEqualTo("'" + page + "': a page in UTF-8");
    Files.writeString(page, "<p>in {seconds} or {hours}</p>");
    assertThat(problem(page)).isEqualTo("'{hours}' in '" + page + "': " + PLACEHOLDERS);
    assertThat(problem(directory)).isEqualTo("'" + directory + "': a page that exists");
  }

  private static String problem(Path page) {
    ConfigurationException.Problem problem =
        Complaints.only(() -> Weirs.settings("responses:\n  denied: { html: " + page + " }\n"));
    assertThat(problem.toString()).startsWith("weir.yaml:2:19: responses.denied.html: ");
    return problem.found() + ": " + problem.expected();
  }
}

package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import dev.weir.fixture.LogCapture;
import dev.weir.http.Answer;
import dev.weir.http.Http2Upgrade;
import dev.weir.http.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a denied client receives, in Jetty and Tomcat, over HTTP/1.1 and HTTP/2. */
class DenialResponseTest {

  private static final String EXAMPLE = "examples/web-xml-tomcat/src/main/webapp/WEB-INF/";

  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND");
  private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";
  private static final String PROGRAM = "application/json";

  private static final String CONFIGURATION =
      """
      responses:
        denied:
          headers: { X-Denied-By: "{rule}, limit {limit}, {seconds} s" }
          html: /WEB-INF/too-many.html
          json: { error: too-many, rule: "{rule}", seconds: "{seconds}", hint: "in {seconds} s" }
      rules:
        - { name: all, match: /**, subject: ip, limits: [100_000 per hour] }
        - { name: page, match: /page, subject: ip, limits: [1 per hour] }
        - { name: word, match: /word, subject: ip, limits: [1 per hour], denied: problem }
        - name: forwarded
          match: /forwarded
          subject: ip
          limits: [1 per hour]
          denied: { status: 503, forward: "/app/too-many?from=weir", headers: { X-Own: a } }
        - { name: target, match: /app/too-many, subject: ip, limits: [2 per hour] }
        - { name: file, match: /file, limits: [1 per hour], denied: { forward: /static.html } }
        - { name: gone, match: /gone, limits: [1 per hour], denied: { forward: /absent.html } }
        - { name: wild, match: /wild, limits: [1 per hour], denied: { forward: /app/wild } }
        - { name: busy, match: /busy, limits: [1 per hour], denied: { status: 503 } }
      """;

  /** Pages that do what a page should not. */
  private static final List<String> BAD_PAGES =
      List.of("redirects", "fails", "throws", "is-later", "has-an-error", "is-nowhere");

  private static final List<String> OTHER_PAGES = List.of("overwrites", "reads");

  /** Sends a request by some version of HTTP. */
  private interface Client {
    Answer send(String method, String path, String accept);
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_browser_receives_the_page_and_a_program_the_object_for_every_method(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      deploy(container, directory);
      for (Client client : clients(container)) {
        client.send("GET", "/page", PROGRAM);
        for (String method : METHODS) {
          Answer page = client.send(method, "/page", BROWSER);
          String seconds = assertDenied(page, 429, "page", method);
          assertThat(page.field("Content-Type")).as(method).startsWith("text/html");
          assertThat(page.body())
              .as(method)
              .isEqualTo("<p>größer: " + seconds + "</p><style>p { color: red }</style>");
          Answer object = client.send(method, "/page", PROGRAM);
          seconds = assertDenied(object, 429, "page", method);
          assertThat(object.field("Content-Type")).as(method).startsWith("application/json");
          assertThat(object.body())
              .as(method)
              .isEqualTo(
                  "{\"error\":\"too-many\",\"rule\":\"page\",\"seconds\":%1$s,\"hint\":\"in %1$s s\"}"
                      .formatted(seconds));
        }
        for (String accept : List.of(BROWSER, PROGRAM, "image/png", "*/*")) {
          Answer head = client.send("HEAD", "/page", accept);
          assertDenied(head, 429, "page", "HEAD");
          assertThat(head.body()).as(accept).isEmpty();
        }
        assertThat(client.send("GET", "/page", "image/png").body()).startsWith("{\"error\":");
        client.send("GET", "/busy", PROGRAM);
        assertDenied(client.send("POST", "/busy", PROGRAM), 503, "busy", "another status");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_rule_has_a_response_of_its_own(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      deploy(container, directory);
      for (Client client : clients(container)) {
        client.send("GET", "/word", BROWSER);
        Answer word = client.send("GET", "/word", BROWSER);
        assertThat(word.status()).isEqualTo(429);
        assertThat(word.field("Content-Type")).startsWith("application/problem+json");
        assertThat(word.has("X-Denied-By")).isFalse();
        assertThat(word.field("Vary")).doesNotContain("Accept");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_forward_is_a_GET_for_every_method_and_is_charged_by_no_rule(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      deploy(container, directory);
      for (Client client : clients(container)) {
        client.send("GET", "/forwarded", BROWSER);
        for (String method : METHODS) {
          Answer page = client.send(method, "/forwarded", BROWSER);
          assertThat(page.status()).as(method).isEqualTo(503);
          String seconds = page.field("Retry-After");
          assertThat(page.body())
              .as(method)
              .isEqualTo("GET from weir: forwarded, forwarded, " + seconds);
          assertThat(page.field("RateLimit"))
              .as(method)
              .isEqualTo("\"forwarded\";r=0;t=" + seconds);
          assertThat(page.field("X-Own")).as(method).isEqualTo("a");
          assertThat(page.field("Vary")).as(method).contains("Origin").contains("Accept");
          assertThat(page.field("Cache-Control")).as(method).isEqualTo("no-store");
        }
        assertThat(client.send("HEAD", "/forwarded", BROWSER).status()).isEqualTo(503);
        assertThat(client.send("HEAD", "/forwarded", BROWSER).body()).isEmpty();
        Answer object = client.send("PUT", "/forwarded", PROGRAM);
        assertThat(object.status()).isEqualTo(503);
        assertThat(object.body()).startsWith("{\"error\":\"too-many\",\"rule\":\"forwarded\"");
      }
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/app/too-many").field("RateLimit")).startsWith("\"target\";r=1;");
      assertThat(http.get("/app/too-many").field("RateLimit")).startsWith("\"target\";r=0;");
      assertThat(http.get("/app/too-many").status()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void no_page_changes_what_a_denial_is(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      deploy(container, directory);
      RawHttp http = new RawHttp(container.base());
      String accept = "Accept: " + BROWSER;
      for (String path : List.of("/file", "/gone", "/wild")) {
        http.get(path);
      }
      for (String condition :
          List.of(
              "X-None: 1",
              "If-None-Match: *",
              "If-Match: \"a\"",
              "If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT",
              "If-Unmodified-Since: Fri, 01 Jan 2010 00:00:00 GMT",
              "Range: bytes=0-1")) {
        Answer file = http.send("GET", "/file", accept, condition);
        assertDenied(file, 429, "file", condition);
        assertThat(file.body()).as(condition).isEqualTo("a static page");
      }
      assertThat(http.send("DELETE", "/file", accept).body()).isEqualTo("a static page");
      Answer gone = http.send("GET", "/gone", accept);
      assertDenied(gone, 429, "gone", "a page that is missing");
      assertThat(gone.body()).startsWith("{\"error\":\"too-many\",\"rule\":\"gone\"");
      Answer wild = http.send("GET", "/wild", accept);
      assertDenied(wild, 429, "wild", "a page that resets and sets the status");
      assertThat(wild.body()).isEqualTo("wild");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_page_that_fails_or_redirects_is_replaced_with_all_that_it_has_set(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.servlet");
        Container container = starter.run()) {
      deploy(container, directory);
      for (Client client : clients(container)) {
        for (String page : BAD_PAGES) {
          client.send("GET", "/" + page, PROGRAM);
          Answer answer = client.send("GET", "/" + page, BROWSER);
          assertDenied(answer, 429, page, page);
          assertThat(answer.body())
              .as(page)
              .startsWith("{\"error\":\"too-many\",\"rule\":\"" + page + "\"")
              .endsWith(" s\"}");
          assertThat(answer.field("Content-Type")).as(page).startsWith("application/json");
          assertThat(answer.field("Content-Length"))
              .as(page)
              .isEqualTo(String.valueOf(answer.body().length()));
          assertThat(answer.field("Vary")).as(page).contains("Origin");
          for (String dropped : List.of("Content-Encoding", "ETag", "Location", "X-Page")) {
            assertThat(answer.has(dropped)).as(page + " " + dropped).isFalse();
          }
          Answer head = client.send("HEAD", "/" + page, BROWSER);
          assertDenied(head, 429, page, page);
          assertThat(head.field("Content-Type")).as(page).startsWith("application/json");
        }
      }
      assertThat(log.records().stream().map(LogRecord::getMessage))
          .filteredOn(message -> message.contains("without their page"))
          .hasSizeLessThanOrEqualTo(1); // one in the life of the class
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_page_adds_fields_and_changes_none_of_the_denial(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      deploy(container, directory);
      for (Client client : clients(container)) {
        client.send("GET", "/overwrites", PROGRAM);
        Answer answer = client.send("GET", "/overwrites", BROWSER);
        assertDenied(answer, 429, "overwrites", "a page that sets the same fields");
        assertThat(answer.body()).isEqualTo("overwrites");
        assertThat(answer.field("Vary")).contains("Origin", "Accept", "Cookie");
        assertThat(answer.field("X-Page")).isEqualTo("1");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_page_sees_the_query_and_no_body(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      deploy(container, directory);
      RawHttp http = new RawHttp(container.base());
      http.get("/reads");
      String accept = "Accept: " + BROWSER;
      String expected = "[from, own] [a b] [query] null, -1 null -1 null";
      assertThat(http.postForm("/reads?from=query", "secret=1&from=body", accept).body())
          .isEqualTo(expected);
      String type = "Content-Type: application/x-www-form-urlencoded";
      String ofAbsentBody = "Content-Length: 100";
      assertThat(http.send("PATCH", "/reads?from=query", accept, type, ofAbsentBody).body())
          .isEqualTo(expected);
    }
  }

  /** The example of the page on denials, as it is there. */
  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void the_example_works(Containers.Starter starter, @TempDir Path directory) throws Exception {
    String recipe = Documents.text(EXAMPLE + "weir-own-page.yaml");
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, webXml(container))
              .with("WEB-INF/weir.yaml", recipe)
              .with("WEB-INF/too-many.html", Documents.text(EXAMPLE + "too-many.html")));
      for (Client client : clients(container)) {
        Answer page = denial(client, "POST", "/login", BROWSER);
        assertThat(page.status()).isEqualTo(429);
        assertThat(page.body()).contains("in " + page.field("Retry-After") + " seconds");
        assertThat(page.field("X-Support")).isEqualTo("shop@example.com");
        Answer object = denial(client, "POST", "/login", PROGRAM);
        assertThat(object.body())
            .isEqualTo(
                "{\"error\":\"too many requests\",\"seconds\":%s}"
                    .formatted(object.field("Retry-After")));
        Answer other = denial(client, "GET", "/reports/1", PROGRAM);
        assertThat(other.status()).isEqualTo(503);
        assertThat(other.body()).startsWith("{\"error\":\"too many requests\"");
      }
    }
  }

  private static Answer denial(Client client, String method, String path, String accept) {
    return Stream.generate(() -> client.send(method, path, accept))
        .limit(20)
        .filter(answer -> answer.has("Retry-After"))
        .findFirst()
        .orElseThrow();
  }

  /** Asserts what all denials have. Returns the seconds of the retry. */
  private static String assertDenied(Answer denied, int status, String rule, String description) {
    String seconds = denied.field("Retry-After");
    assertThat(denied.status()).as(description).isEqualTo(status);
    assertThat(seconds).as(description).matches("3600|359[0-9]");
    assertThat(denied.field("X-Denied-By"))
        .as(description)
        .isEqualTo("%1$s, limit %1$s, %2$s s".formatted(rule, seconds));
    assertThat(denied.field("RateLimit"))
        .as(description)
        .isEqualTo("\"%s\";r=0;t=%s".formatted(rule, seconds));
    assertThat(denied.field("Vary")).as(description).contains("Accept");
    assertThat(denied.field("Cache-Control")).as(description).isEqualTo("no-store");
    return seconds;
  }

  private static void deploy(Container container, Path directory) throws Exception {
    container.deploy(
        WebApp.in(directory, webXml(container))
            .with("WEB-INF/weir.yaml", CONFIGURATION + rulesOfPages())
            .with(
                "WEB-INF/too-many.html", "<p>größer: {seconds}</p><style>p { color: red }</style>")
            .with("static.html", "a static page"));
  }

  private static String rulesOfPages() {
    return Stream.concat(BAD_PAGES.stream(), OTHER_PAGES.stream())
        .map(
            page ->
                """
                  - name: %1$s
                    match: /%1$s
                    limits: [1 per hour]
                    denied: { forward: "/app/%1$s?own=a%%20b" }
                """
                    .formatted(page))
        .collect(Collectors.joining());
  }

  /** The filter sees forwards, pages stand below /app, and all else are files. */
  private static String webXml(Container container) {
    return WebApp.webXml(container.fileServlet())
        .replace(
            "<url-pattern>/*</url-pattern>",
            "<url-pattern>/*</url-pattern>"
                + "<dispatcher>REQUEST</dispatcher><dispatcher>FORWARD</dispatcher>")
        .replace(
            "<filter>",
            """
            <filter>
              <filter-name>varying</filter-name>
              <filter-class>%s</filter-class>
            </filter>
            <filter-mapping>
              <filter-name>varying</filter-name>
              <url-pattern>/*</url-pattern>
            </filter-mapping>
            <filter>
            """
                .formatted(Varying.class.getName()))
        .replace(
            "<servlet>",
            """
            <servlet>
              <servlet-name>pages</servlet-name>
              <servlet-class>%s</servlet-class>
            </servlet>
            <servlet-mapping>
              <servlet-name>pages</servlet-name>
              <url-pattern>/app/*</url-pattern>
            </servlet-mapping>
            <servlet>
            """
                .formatted(DenialPages.class.getName()))
        .replace("</filter-class>", "</filter-class><async-supported>true</async-supported>")
        .replace("</servlet-class>", "</servlet-class><async-supported>true</async-supported>");
  }

  /** Clients of both versions. The upgrade of a connection is a request of HTTP/1.1. */
  private static List<Client> clients(Container container)
      throws IOException, InterruptedException {
    RawHttp http = new RawHttp(container.base());
    HttpClient http2 = HttpClient.newHttpClient();
    Client overHttp2 =
        (method, path, accept) -> send(http2, container.base() + path, method, accept);
    Http2Upgrade.of(http2, URI.create(container.base() + "/free"));
    return List.of(
        (method, path, accept) -> http.send(method, path, "Accept: " + accept),
        (method, path, accept) -> {
          Answer answer = overHttp2.send(method, path, accept);
          assertThat(answer.has(":version-2")).isTrue();
          return answer;
        });
  }

  private static Answer send(HttpClient client, String uri, String method, String accept) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri))
            .method(method, BodyPublishers.noBody())
            .header("Accept", accept)
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      Map<String, List<String>> fields = new HashMap<>(response.headers().map());
      if (response.version() == Version.HTTP_2) {
        fields.put(":version-2", List.of());
      }
      return new Answer(response.statusCode(), fields, response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Says that its answers vary, as filters for CORS do. */
  public static final class Varying implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      ((HttpServletResponse) response).setHeader("Vary", "Origin");
      chain.doFilter(new WithoutOnePage((HttpServletRequest) request), response);
    }
  }

  /** A request that finds one page only by throwing. */
  private static final class WithoutOnePage extends HttpServletRequestWrapper {

    private WithoutOnePage(HttpServletRequest request) {
      super(request);
    }

    @Override
    public RequestDispatcher getRequestDispatcher(String path) {
      if (path.startsWith("/app/is-nowhere")) {
        throw new IllegalStateException("no page is here");
      }
      return super.getRequestDispatcher(path);
    }
  }
}

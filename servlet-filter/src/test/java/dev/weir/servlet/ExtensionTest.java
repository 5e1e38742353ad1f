package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Http2Upgrade;
import dev.weir.http.RawHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An old application maps its actions to an extension, and only they are limited. */
class ExtensionTest {

  private static final String RULES =
      """
      rules:
        - { name: actions, match: '*.do', subject: ip, limits: [4 per hour] }
        - { name: docs, match: /my%20docs, subject: ip, limits: [1 per hour] }
        - { name: search, match: /api/**/search, subject: ip, limits: [2 per hour] }
      """;

  private static final String AFTER_SERVLETS = "<welcome-file-list>";

  private static final String ACTIONS =
      """
      <servlet>
        <servlet-name>actions</servlet-name>
        <servlet-class>%s</servlet-class>
      </servlet>
      <servlet-mapping>
        <servlet-name>actions</servlet-name>
        <url-pattern>*.do</url-pattern>
      </servlet-mapping>
      """
              .formatted(QueryTest.Echo.class.getName())
          + AFTER_SERVLETS;

  private final HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void actions_are_limited_and_files_are_not(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = deployed(container, directory);
      List<String> actions =
          List.of("/pay.do", "/shop/cart.do;jsessionid=1", "/a/./pay%2edo", "/pay.do?x=.css");
      for (String action : actions) {
        assertThat(http.get(action).status()).as(action).isEqualTo(200);
      }
      for (String action : actions) {
        assertThat(http.get(action).status()).as(action).isEqualTo(429);
      }
      for (String file : List.of("/shop.css", "/pay.do.css", "/pay")) {
        assertThat(http.get(file).status()).as(file).isEqualTo(404);
      }
      assertThat(http.get("/pay;x.do").status()).as("no action").isIn(404, 429);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void both_protocols_share_the_limit(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = deployed(container, directory);
      Http2Upgrade.of(client, URI.create(container.base() + "/free"));
      assertThat(overHttp2(container.base(), "/pay.do")).isEqualTo(200);
      assertThat(overHttp2(container.base(), "/a/pay.do;jsessionid=1")).isEqualTo(200);
      assertThat(http.get("/b/pay.do").status()).isEqualTo(200);
      assertThat(overHttp2(container.base(), "/c/d/pay.do")).isEqualTo(200);
      assertThat(overHttp2(container.base(), "/e.do")).isEqualTo(429);
      assertThat(http.get("/e.do").status()).isEqualTo(429);
      assertThat(overHttp2(container.base(), "/e.css")).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_blank_and_a_tail_are_matched_as_the_container_decodes_them(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      RawHttp http = deployed(container, directory);
      Http2Upgrade.of(client, URI.create(container.base() + "/free"));
      assertThat(http.get("/my%20docs").status()).isEqualTo(404);
      assertThat(overHttp2(container.base(), "/my%20docs")).isEqualTo(429);
      assertThat(http.get("/m%79%20docs/").status()).isEqualTo(429);
      assertThat(http.get("/api/search").status()).isEqualTo(404);
      assertThat(overHttp2(container.base(), "/api/a/b/search")).isEqualTo(404);
      assertThat(http.get("/api/c;v=1/search").status()).isEqualTo(429);
      assertThat(http.get("/api/search/c").status()).isEqualTo(404);
    }
  }

  /** A servlet has the actions. The container serves files, of which there is none. */
  private static RawHttp deployed(Container container, Path directory) throws Exception {
    String webXml = WebApp.webXml(container.fileServlet()).replace(AFTER_SERVLETS, ACTIONS);
    container.deploy(WebApp.in(directory, webXml).with("WEB-INF/weir.yaml", RULES));
    return new RawHttp(container.base());
  }

  private int overHttp2(URI base, String path) throws IOException, InterruptedException {
    HttpResponse<Void> response = send(base, path);
    assertThat(response.version()).isEqualTo(Version.HTTP_2);
    return response.statusCode();
  }

  private HttpResponse<Void> send(URI base, String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + path)).build();
    return client.send(request, BodyHandlers.discarding());
  }
}

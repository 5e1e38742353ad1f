package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RawHttp;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A directory has the rules of its path, though a container may call it its welcome file. */
class WelcomeFileTest {

  private static final String RULES =
      """
      rules:
        - { name: root, match: /, subject: ip, limits: [1 per hour] }
        - { name: admin, match: /admin, subject: ip, limits: [1 per hour] }
      """;

  private static final String OF_THE_FILE =
      "rules: [{ name: index, match: /index.html, subject: ip, limits: [1 per hour] }]";

  private static final String ALL_PATHS = "<url-pattern>/*</url-pattern>";
  private static final String WITH_FORWARDS =
      "<dispatcher>REQUEST</dispatcher><dispatcher>FORWARD</dispatcher>";

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_directory_obeys_the_rule_of_its_path(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(
          WebApp.in(directory, WebApp.webXml(container.fileServlet()))
              .with("WEB-INF/weir.yaml", RULES)
              .with("index.html", "welcome")
              .with("admin/index.html", "welcome"));
      RawHttp http = new RawHttp(container.base());
      for (String path : new String[] {"/", "/admin/"}) {
        assertThat(http.get(path).body()).as(path).isEqualTo("welcome");
        assertThat(http.get(path).status()).as(path).isEqualTo(429);
      }
    }
  }

  /** Tomcat reports the welcome file as the path. Jetty forwards to it. */
  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void it_obeys_the_rule_of_its_welcome_file_too_where_the_filter_sees_forwards(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    assertThat(statusOfRoot(starter, directory, WITH_FORWARDS)).isEqualTo(429);
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void without_that_Tomcat_keeps_the_rule_of_the_welcome_file_and_Jetty_does_not(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    assertThat(statusOfRoot(starter, directory, ""))
        .isEqualTo(starter.name().equals("Tomcat") ? 429 : 200);
  }

  /** Returns the status of the directory, after its welcome file has used up its rule. */
  private static int statusOfRoot(Containers.Starter starter, Path directory, String dispatchers)
      throws Exception {
    try (Container container = starter.run()) {
      String webXml = WebApp.webXml(container.fileServlet());
      container.deploy(
          WebApp.in(directory, webXml.replace(ALL_PATHS, ALL_PATHS + dispatchers))
              .with("WEB-INF/weir.yaml", OF_THE_FILE)
              .with("index.html", "welcome"));
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/index.html").body()).isEqualTo("welcome");
      assertThat(http.get("/index.html").status()).isEqualTo(429);
      return http.get("/").status();
    }
  }
}

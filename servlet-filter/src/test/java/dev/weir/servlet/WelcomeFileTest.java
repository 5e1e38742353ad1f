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
}

package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.LogCapture;
import dev.weir.http.Http2Connection;
import dev.weir.http.RawHttp;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Overload control excepts paths within the application, wherever that is deployed. */
class OverloadExceptTest {

  private static final String CONFIGURATION =
      """
      rules: [{ name: all, match: /**, subject: global, limits: [1000 per second] }]
      overload: { in-flight: { start: 1, from: 1, to: 1 }, except: [%s] }
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init") // made before each test
  private Path directory;

  @BeforeEach
  void begin() {
    EndingServlet.reset();
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void without_the_name_of_the_context(Containers.Starter starter) throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Container container = starter.run()) {
      deploy(container, "/done");
      assertThat(log.text()).doesNotContain("context path");
      assertThat(statusWhileFull(container, "/done")).isEqualTo(204);
      assertThat(statusWhileFull(container, "/error")).isEqualTo(503);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void with_it_nothing_is_excepted_and_the_start_says_so(Containers.Starter starter)
      throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Container container = starter.run()) {
      deploy(container, Container.CONTEXT_PATH + "/done");
      assertThat(log.text())
          .contains("overload: except: '/shop/done' begins with the context path");
      assertThat(statusWhileFull(container, "/done")).isEqualTo(503);
    }
  }

  private void deploy(Container container, String except) throws Exception {
    container.deploy(
        WebApp.in(directory, WebApp.asyncWebXml(EndingServlet.class.getName()))
            .with("WEB-INF/weir.yaml", CONFIGURATION.formatted(except)));
  }

  /** Returns the status of a request that comes while another one has the only place. */
  private static int statusWhileFull(Container container, String path) {
    try (Http2Connection client = new Http2Connection(container.base())) {
      client.get("/hold");
      await().until(() -> EndingServlet.HOLDING.get() == 1);
      int status = new RawHttp(container.base()).get(path).status();
      EndingServlet.LEAVE.release();
      await().until(() -> EndingServlet.HOLDING.get() == 0);
      return status;
    }
  }
}

package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.ee10.websocket.servlet.WebSocketUpgradeFilter;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A handshake for WebSocket is a request like any other, or the start says that it is none. */
class HandshakeTest {

  private static final String UPGRADE_FILTER =
      "org.eclipse.jetty.ee10.websocket.servlet.WebSocketUpgradeFilter";

  private static final String WAITING =
      """
      delays: async
      limits: { pace: "10 per second, burst 1" }
      rules: [{ name: all, match: /**, subject: global, limits: [pace], on-denial: delay up to 9s }]
      """;

  /** A whole handshake; what lacks one of its fields is none. */
  private static final List<String> FIELDS =
      List.of(
          "Connection: keep-alive, Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");

  private static final String LIMITED =
      """
      limits: { calls: 3 per day window }
      rules: [{ name: all, match: /**, subject: global, limits: [calls] }]
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init") // made before each test
  private Path directory;

  @Test
  void a_handshake_that_waits_opens_a_socket_in_Tomcat() throws Exception {
    try (Container container = TomcatContainer.start()) {
      container.deploy(application(listening(webXml()), WAITING));
      assertThat(handshakes(container.base(), 4)).isEqualTo(nCopies(4, 101));
    }
  }

  @Test
  void handshakes_are_limited_in_Tomcat() throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.servlet");
        Container container = TomcatContainer.start()) {
      container.deploy(application(listening(webXml()), LIMITED));
      assertThat(handshakes(container.base(), 5))
          .containsExactlyInAnyOrder(101, 101, 101, 429, 429);
      assertThat(log.text()).doesNotContain("WebSocket");
    }
  }

  @Test
  void where_Jetty_answers_them_in_front_the_start_says_so_with_the_cure() throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.servlet");
        Container container = JettyContainer.startWith(HandshakeTest::withSockets)) {
      container.deploy(application(webXml(), LIMITED));
      assertThat(log.text())
          .contains("handshakes for WebSocket are not limited", UPGRADE_FILTER, "web.xml");
      assertThat(handshakes(container.base(), 5)).isEqualTo(nCopies(5, 101));
    }
  }

  @Test
  void one_that_comes_after_the_start_is_found_with_the_first_request() throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.servlet");
        Container container =
            JettyContainer.startWith(
                context ->
                    context.addEventListener(new AfterStart(() -> withUpgradeFilter(context))))) {
      container.deploy(application(webXml(), LIMITED));
      assertThat(log.text()).doesNotContain("WebSocket");
      new RawHttp(container.base()).get("/done");
      assertThat(log.text()).containsOnlyOnce("handshakes for WebSocket are not limited");
    }
  }

  @Test
  void behind_this_filter_it_is_limited_and_may_wait() throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.servlet");
        Container container = JettyContainer.startWith(HandshakeTest::withSockets)) {
      container.deploy(application(cured(webXml()), WAITING));
      assertThat(handshakes(container.base(), 4)).isEqualTo(nCopies(4, 101));
      assertThat(log.text()).doesNotContain("WebSocket");
      container.undeploy();
      container.deploy(application(cured(webXml()), LIMITED));
      assertThat(handshakes(container.base(), 5))
          .containsExactlyInAnyOrder(101, 101, 101, 429, 429);
      assertThat(log.text()).doesNotContain("WebSocket");
    }
  }

  /** A quarter of 16 for one subject, as of all requests that hold their threads. */
  @Test
  void on_threads_a_few_wait_and_the_next_is_refused_at_once() throws Exception {
    try (Container container = TomcatContainer.start()) {
      container.deploy(application(listening(webXml()), WAITING));
      assertThat(handshakes(container.base(), 10)).contains(101, 429).containsOnly(101, 429);
    }
  }

  @Test
  void what_only_looks_like_one_waits_without_a_thread_in_Tomcat() throws Exception {
    try (Container container = TomcatContainer.start()) {
      container.deploy(application(listening(webXml()), WAITING));
      assertThatNoneHoldsItsThread(new RawHttp(container.base()));
    }
  }

  @Test
  void what_only_looks_like_one_waits_without_a_thread_in_Jetty() throws Exception {
    try (Container container = JettyContainer.startWith(HandshakeTest::withSockets)) {
      container.deploy(application(cured(webXml()), WAITING));
      assertThatNoneHoldsItsThread(new RawHttp(container.base()));
    }
  }

  @ParameterizedTest
  @MethodSource("withoutSockets")
  void where_no_sockets_are_opened_there_is_none(Containers.Starter starter) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(application(webXml(), WAITING));
      RawHttp http = new RawHttp(container.base());
      String[] fields = FIELDS.toArray(String[]::new);
      assertThat(atOnce(10, () -> http.get("/done", fields).status())).isEqualTo(nCopies(10, 204));
    }
  }

  static Stream<Containers.Starter> withoutSockets() {
    return Stream.of(
        new Containers.Starter("Jetty", JettyContainer::start),
        new Containers.Starter(
            "Tomcat",
            () ->
                TomcatContainer.startWith(context -> context.setContainerSciFilter(".*\\.WsSci"))));
  }

  /** More at once than may wait on their threads. Jetty itself refuses some with 400. */
  private static void assertThatNoneHoldsItsThread(RawHttp http) throws Exception {
    for (String missing : FIELDS) {
      String[] others =
          FIELDS.stream().filter(field -> !field.equals(missing)).toArray(String[]::new);
      assertThat(atOnce(10, () -> http.get("/done", others).status()))
          .as("without " + missing)
          .containsAnyOf(204, 400)
          .doesNotContain(429);
    }
    String[] fields = FIELDS.toArray(String[]::new);
    assertThat(atOnce(10, () -> http.post("/done", fields).status())).as("POST").containsOnly(204);
  }

  private WebApp application(String webXml, String configuration) {
    return WebApp.in(directory, webXml).with("WEB-INF/weir.yaml", configuration);
  }

  private static String webXml() {
    return WebApp.asyncWebXml(EndingServlet.class.getName());
  }

  private static String listening(String webXml) {
    return webXml.replace(
        "</web-app>",
        "<listener><listener-class>"
            + SocketListener.class.getName()
            + "</listener-class></listener></web-app>");
  }

  private static String cured(String webXml) {
    return webXml.replace(
        "</web-app>",
        """
        <filter>
          <filter-name>%s</filter-name>
          <filter-class>%s</filter-class>
          <async-supported>true</async-supported>
        </filter>
        <filter-mapping><filter-name>%s</filter-name><url-pattern>/*</url-pattern></filter-mapping>
        </web-app>
        """
            .formatted(UPGRADE_FILTER, UPGRADE_FILTER, UPGRADE_FILTER));
  }

  /** As Jetty's modules for WebSocket do while an application starts. */
  private static void withSockets(WebAppContext context) {
    context.getHiddenClassMatcher().exclude("org.eclipse.jetty.ee10.websocket.servlet.");
    context.addServletContainerInitializer((none, application) -> withUpgradeFilter(context));
  }

  private static void withUpgradeFilter(WebAppContext context) {
    WebSocketServerComponents.ensureWebSocketComponents(context.getServer(), context);
    WebSocketMappings.ensureMappings(context)
        .addMapping(
            WebSocketMappings.parsePathSpec("/socket"),
            WebSocketNegotiator.from(
                (request, response, callback) -> new Silent(),
                (silent, request, response) -> (Silent) silent));
    WebSocketUpgradeFilter.ensureFilter(context.getServletContext());
  }

  /** Sends handshakes at once, and returns the statuses of their answers. */
  private static List<Integer> handshakes(URI base, int number) throws Exception {
    return atOnce(number, () -> handshake(base));
  }

  private static List<Integer> atOnce(int number, Callable<Integer> call) throws Exception {
    ExecutorService clients = Executors.newCachedThreadPool();
    try {
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> status : clients.invokeAll(nCopies(number, call))) {
        statuses.add(status.get());
      }
      return statuses;
    } finally {
      clients.shutdown();
    }
  }

  private static int handshake(URI base) throws IOException {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(20_000);
      String head =
          """
          GET %s/socket HTTP/1.1
          Host: %s
          %s

          """
              .formatted(base.getRawPath(), base.getAuthority(), String.join("\n", FIELDS));
      socket.getOutputStream().write(head.replace("\n", "\r\n").getBytes(ISO_8859_1));
      BufferedReader answer =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      return Integer.parseInt(answer.readLine().split(" ", -1)[1]);
    }
  }

  /** An endpoint that says nothing. */
  private static final class Silent implements FrameHandler {

    @Override
    public void onOpen(CoreSession session, Callback callback) {
      callback.succeeded();
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
      callback.succeeded();
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
      callback.succeeded();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
      callback.succeeded();
    }
  }

  /** Does something once an application has started. */
  private record AfterStart(Runnable action) implements LifeCycle.Listener {

    @Override
    public void lifeCycleStarted(LifeCycle event) {
      action.run();
    }
  }
}

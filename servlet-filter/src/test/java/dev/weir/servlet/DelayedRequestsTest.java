package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.LogCapture;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that wait in containers: aside, in order, and past no filter. */
class DelayedRequestsTest {

  private static final String FAST = "10 per second, burst 1";
  private static final String SLOW = "2 per second, burst 1";
  private static final String GUARD =
      """
      <filter>
        <filter-name>guard</filter-name>
        <filter-class>dev.weir.servlet.WaitingServlet$Guard</filter-class>
        <async-supported>true</async-supported>
      </filter>
      """;
  private static final String GUARDED =
      """
      <filter-mapping>
        <filter-name>guard</filter-name>
        <url-pattern>/*</url-pattern>%s
      </filter-mapping>
      """;

  @SuppressWarnings("NullAway.Init") // made before each test
  @TempDir
  private Path directory;

  private final ExecutorService clients = Executors.newCachedThreadPool();

  DelayedRequestsTest() {
    WaitingServlet.reset();
  }

  @AfterEach
  void stop() {
    WaitingServlet.END.release(100);
    clients.shutdown();
  }

  /** Mapped to requests alone, in front of what else is mapped. */
  private WebApp app(String limit, String maxWait, String params, String filters, String mappings) {
    return WebApp.in(
        directory,
        """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0" metadata-complete="true">
          <filter>
            <filter-name>weir</filter-name>
            <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
            <async-supported>true</async-supported>
            <init-param><param-name>subject</param-name><param-value>global</param-value></init-param>
            <init-param><param-name>limit</param-name><param-value>%s</param-value></init-param>
            <init-param>
              <param-name>on-denial</param-name><param-value>delay up to %s</param-value>
            </init-param>
            <init-param>
              <param-name>listener</param-name>
              <param-value>dev.weir.servlet.WaitingServlet$Counting</param-value>
            </init-param>
            %s
          </filter>
          %s
          <filter-mapping>
            <filter-name>weir</filter-name>
            <url-pattern>/*</url-pattern>
          </filter-mapping>
          %s
          <servlet>
            <servlet-name>waiting</servlet-name>
            <servlet-class>dev.weir.servlet.WaitingServlet</servlet-class>
            <async-supported>true</async-supported>
          </servlet>
          <servlet-mapping>
            <servlet-name>waiting</servlet-name>
            <url-pattern>/</url-pattern>
          </servlet-mapping>
          <error-page>
            <error-code>429</error-code>
            <location>/error-page</location>
          </error-page>
        </web-app>
        """
            .formatted(limit, maxWait, params, filters, mappings));
  }

  private WebApp app(String limit, String maxWait) {
    return app(limit, maxWait, "", "", "");
  }

  private static String param(String name, String value) {
    return "<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>"
        .formatted(name, value);
  }

  /** Sends them one after the other, each when the one before has been decided about. */
  private List<Future<Answer>> send(RawHttp http, String path, int requests) {
    List<Future<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      int number = i;
      int before = WaitingServlet.DECIDED.get();
      answers.add(clients.submit(() -> http.get(path + "?" + number)));
      await().pollInterval(Duration.ofMillis(1)).until(() -> WaitingServlet.DECIDED.get() > before);
    }
    return answers;
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void requests_wait_aside_and_run_in_order(Containers.Starter starter) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app(FAST, "20s"));
      List<Future<Answer>> answers = send(new RawHttp(container.base()), "/plain", 50);
      for (Future<Answer> each : answers) {
        Answer answer = each.get();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("served");
        assertThat(answer.field("RateLimit")).startsWith("\"weir\";r=0;");
      }
      assertThat(WaitingServlet.CAME)
          .isEqualTo(IntStream.range(0, 50).mapToObj(i -> "/plain?" + i).toList());
      assertThat(answers.get(49).get().field("X-Dispatch")).isEqualTo("ASYNC");
    }
  }

  /** However the client has written its path. */
  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void what_is_served_at_once_is_served_after_a_wait(Containers.Starter starter) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app(FAST, "20s"));
      RawHttp http = new RawHttp(container.base());
      for (String path : List.of("/%2e/plain", "/x/%2e%2e/plain", "/a%20%3B%25b", "/%C3%A4")) {
        int first = http.get(path).status();
        List<Integer> afterWaits =
            List.of(http.get(path).status(), http.get(path).status(), http.get(path).status());
        assertThat(afterWaits).as(path).containsOnly(first).doesNotContain(503);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_filter_in_front_that_holds_back_bodies_holds_back_no_refusal(Containers.Starter starter)
      throws Exception {
    String both = "<dispatcher>REQUEST</dispatcher><dispatcher>ASYNC</dispatcher>";
    String buffering = GUARD.replace("$Guard", "$Buffering");
    try (Container container = starter.run()) {
      container.deploy(
          app(
              "1 concurrent",
              "300ms",
              param("delays", "async"),
              buffering + GUARDED.formatted(both),
              ""));
      assertThat(refusedAfterWaiting(container).body()).contains("\"violated-policies\"");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void what_would_be_too_late_is_refused_at_once(Containers.Starter starter) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app("1 per minute", "2s"));
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/plain").status()).isEqualTo(200);
      Answer refused = http.get("/plain");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.field("Retry-After")).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void who_has_waited_in_vain_is_refused_with_a_body(Containers.Starter starter) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app("1 concurrent", "300ms"));
      Answer refused = refusedAfterWaiting(container);
      assertThat(refused.body()).contains("\"violated-policies\":[\"weir\"]");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void or_with_the_page_of_the_application(Containers.Starter starter) throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app("1 concurrent", "300ms", param("denied", "error-page"), "", ""));
      Answer refused = refusedAfterWaiting(container);
      assertThat(refused.body()).isEqualTo("our own page");
    }
  }

  private Answer refusedAfterWaiting(Container container) throws Exception {
    RawHttp http = new RawHttp(container.base());
    Future<Answer> held = clients.submit(() -> http.get("/held"));
    await().until(() -> WaitingServlet.CAME.size() == 1);
    Answer refused = http.get("/plain");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.field("Retry-After")).isNotEmpty();
    WaitingServlet.END.release();
    assertThat(held.get().status()).isEqualTo(200);
    return refused;
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void what_is_held_comes_back_however_a_request_ends_that_has_waited(Containers.Starter starter)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app("1 concurrent", "20s"));
      RawHttp http = new RawHttp(container.base());
      for (String path : List.of("/plain", "/async", "/broken")) {
        Future<Answer> held = clients.submit(() -> http.get("/held"));
        await().until(() -> WaitingServlet.CAME.contains("/held?null"));
        List<Future<Answer>> answers = send(http, path, 4);
        WaitingServlet.END.release();
        held.get();
        for (Future<Answer> each : answers) {
          assertThat(each.get().status()).isEqualTo(path.equals("/broken") ? 500 : 200);
        }
        WaitingServlet.CAME.clear();
      }
      assertThat(WaitingServlet.mostInside()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void what_starts_asynchronously_after_the_wait_has_its_usual_time(Containers.Starter starter)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app(FAST, "2s"));
      List<Future<Answer>> answers = send(new RawHttp(container.base()), "/async", 2);
      assertThat(answers.get(1).get().field("X-Timeout"))
          .isEqualTo(answers.get(0).get().field("X-Timeout"));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void no_filter_is_left_out_and_the_log_says_what_that_costs(Containers.Starter starter)
      throws Exception {
    try (Container container = starter.run();
        LogCapture log = new LogCapture("dev.weir.servlet")) {
      container.deploy(app(FAST, "20s", "", GUARD, GUARDED.formatted("")));
      assertThat(log.text()).contains("weir: requests that a rule delays hold their threads");
      assertThat(log.text()).contains("because of the filters guard");
      RawHttp http = new RawHttp(container.base());
      for (Future<Answer> each : send(http, "/plain", 5)) {
        assertThat(each.get().status()).isEqualTo(403);
      }
      assertThat(WaitingServlet.CAME).isEmpty();
      Answer answer = http.get("/plain", "X-User: alice");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("X-Dispatch")).isEqualTo("REQUEST");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void nor_is_a_second_filter_of_ours(Containers.Starter starter) throws Exception {
    String second =
        """
        <filter>
          <filter-name>guard</filter-name>
          <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
          <async-supported>true</async-supported>
          %s%s
        </filter>
        """
            .formatted(param("limit", "3 per hour"), param("subject", "global"));
    try (Container container = starter.run()) {
      container.deploy(app(SLOW, "20s", "", second, GUARDED.formatted("")));
      List<Integer> statuses = new ArrayList<>();
      for (Future<Answer> each : send(new RawHttp(container.base()), "/plain", 5)) {
        statuses.add(each.get().status());
      }
      assertThat(statuses).containsExactlyInAnyOrder(200, 200, 200, 429, 429);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void filters_that_are_mapped_to_it_go_along(Containers.Starter starter) throws Exception {
    String both = "<dispatcher>REQUEST</dispatcher><dispatcher>ASYNC</dispatcher>";
    try (Container container = starter.run()) {
      container.deploy(app(SLOW, "20s", param("delays", "async"), GUARD, GUARDED.formatted(both)));
      RawHttp http = new RawHttp(container.base());
      for (Future<Answer> each : send(http, "/plain", 3)) {
        assertThat(each.get().status()).isEqualTo(403);
      }
      assertThat(http.get("/plain", "X-User: alice").field("X-Dispatch")).isEqualTo("ASYNC");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void on_threads_a_few_wait_and_the_next_is_refused_at_once(Containers.Starter starter)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app("10 per second, burst 1", "1m", param("delays", "on-thread"), "", ""));
      RawHttp http = new RawHttp(container.base());
      List<Future<Answer>> answers = send(http, "/plain", 30);
      List<Integer> statuses = new ArrayList<>();
      for (Future<Answer> each : answers) {
        statuses.add(each.get().status());
      }
      assertThat(statuses).contains(429).containsOnly(200, 429);
      assertThat(statuses.subList(0, 5)).as("one and a quarter of 16").containsOnly(200);
    }
  }
}

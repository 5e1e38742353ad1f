package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.servlet.Containers.Starter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client receives is what it pays, however the application writes it. */
class ResponseBytesTest {

  private static final long LIMIT = 10_000_000;
  private static final int FILE_BYTES = 200_000;

  /** Where what arrives is what counts. */
  private static final List<String> WAYS =
      List.of(
          "/op/stream",
          "/op/utf-8",
          "/op/latin",
          "/op/utf-16",
          "/op/large",
          "/op/reset",
          "/op/reset-buffer",
          "/op/forward",
          "/op/include",
          "/op/include-error",
          "/op/include-redirect",
          "/op/include-reset",
          "/op/include-reset-buffer",
          "/op/dispatch",
          "/op/dispatch-with",
          "/op/async",
          "/op/listener",
          "/op/sendfile",
          "/op/nothing",
          "/file.txt");

  private long total;

  @TempDir
  @SuppressWarnings("NullAway.Init") // made before each test
  private Path directory;

  static Stream<Arguments> containersAndStores() {
    return Containers.all()
        .flatMap(container -> Stream.of("local", "redis").map(it -> Arguments.of(container, it)));
  }

  @ParameterizedTest
  @MethodSource("containersAndStores")
  void what_arrives_is_what_it_costs(Starter starter, String store) throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.embedded());
        Container container = starter.run()) {
      deploy(container, "10 MB", store.equals("redis") ? redis(redis) : "");
      RawHttp http = new RawHttp(container.base());
      await().until(() -> http.get("/op/nothing").status() == 204);
      for (String way : WAYS) {
        assertCosts(http, http.get(way), way);
      }
      assertThat(http.get("/file.txt").body()).hasSize(FILE_BYTES);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void what_the_container_says_instead_costs_nothing(Starter starter) throws Exception {
    try (Container container = starter.run()) {
      deploy(container, "10 MB", "");
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/op/error").status()).isEqualTo(418);
      assertThat(http.get("/op/redirect").status()).isEqualTo(302);
      assertThat(http.send("HEAD", "/op/large").status()).isEqualTo(200);
      assertThat(http.send("HEAD", "/file.txt").status()).isEqualTo(200);
      awaitSpent(http, 0, "errors, redirects and HEAD");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void what_breaks_off_costs_what_was_written(Starter starter) throws Exception {
    try (Container container = starter.run()) {
      deploy(container, "10 MB", "");
      RawHttp http = new RawHttp(container.base());
      http.get("/op/broken");
      awaitSpent(http, TrafficServlet.LARGE, "/op/broken");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void who_has_had_too_much_waits(Starter starter) throws Exception {
    try (Container container = starter.run()) {
      deploy(container, "1 kB", "");
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/op/large").status()).isEqualTo(200);
      await().until(() -> http.get("/op/nothing").isDenied());
    }
  }

  private void assertCosts(RawHttp http, Answer answer, String way) {
    long arrived =
        answer.has("Content-Length")
            ? Long.parseLong(answer.field("Content-Length"))
            : answer.body().getBytes(UTF_8).length;
    total += arrived;
    awaitSpent(http, total, way);
  }

  /** A request without a body costs nothing but a reserve of 1 while it lasts. */
  private static void awaitSpent(RawHttp http, long expected, String way) {
    await()
        .untilAsserted(
            () ->
                assertThat(http.get("/op/nothing").field("RateLimit"))
                    .as(way)
                    .startsWith("\"traffic\";r=" + (LIMIT - expected - 1) + ";"));
  }

  private void deploy(Container container, String limit, String redis) throws Exception {
    WebApp app =
        WebApp.in(directory, webXml(container.fileServlet()))
            .with("file.txt", "f".repeat(FILE_BYTES))
            .with(
                "WEB-INF/weir.yaml",
                """
                %s
                limits: { traffic: %s per day window }
                rules:
                  - name: traffic
                    match: /**
                    subject: global
                    limits: [traffic]
                    cost: { response: bytes, reserve: 1 B }
                """
                    .formatted(redis, limit));
    container.deploy(app);
  }

  private static String redis(RedisServer redis) {
    return """
        application: shop
        redis: { uri: "redis://127.0.0.1:%d", deadline: 5s }
        """
        .formatted(redis.port());
  }

  private static String webXml(String fileServlet) {
    return """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0" metadata-complete="true">
          <filter>
            <filter-name>weir</filter-name>
            <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
            <async-supported>true</async-supported>
          </filter>
          <filter-mapping>
            <filter-name>weir</filter-name>
            <url-pattern>/*</url-pattern>
            <dispatcher>REQUEST</dispatcher>
            <dispatcher>FORWARD</dispatcher>
            <dispatcher>INCLUDE</dispatcher>
            <dispatcher>ERROR</dispatcher>
            <dispatcher>ASYNC</dispatcher>
          </filter-mapping>
          <servlet>
            <servlet-name>traffic</servlet-name>
            <servlet-class>dev.weir.servlet.TrafficServlet</servlet-class>
            <async-supported>true</async-supported>
          </servlet>
          <servlet-mapping>
            <servlet-name>traffic</servlet-name>
            <url-pattern>/op/*</url-pattern>
          </servlet-mapping>
          <servlet>
            <servlet-name>files</servlet-name>
            <servlet-class>%s</servlet-class>
            <async-supported>true</async-supported>
          </servlet>
          <servlet-mapping>
            <servlet-name>files</servlet-name>
            <url-pattern>/</url-pattern>
          </servlet-mapping>
        </web-app>
        """
        .formatted(fileServlet);
  }
}

package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.logging.Level;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a feature opens it closes with the application. */
class LifecycleTest {

  private static final String CONFIGURATION =
      """
      application: shop
      redis: redis://127.0.0.1:1
      rules:
        - { name: all, match: /**, subject: global, limits: [1000 per second] }
      """;

  @BeforeEach
  void configure(@TempDir java.nio.file.Path directory) throws Exception {
    java.nio.file.Path file = Files.writeString(directory.resolve("weir.yaml"), CONFIGURATION);
    System.setProperty("weir.config", file.toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty("weir.config");
  }

  @Test
  void starting_and_stopping_five_times_leaves_no_thread() {
    assertThat(threads()).isEmpty();
    for (int i = 0; i < 5; i++) {
      HttpServer server = start(Fine.class);
      assertThat(new RawHttp(base(server)).get("/").field("RateLimit")).startsWith("\"all\"");
      assertThat(threads()).as("who looks for Redis has threads").isNotEmpty();
      server.stop(0);
      await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Misspelt.class, Leading.class})
  void an_application_that_does_not_start_leaves_no_thread(Class<?> resource) {
    try (LogCapture log = new LogCapture("dev.weir")) {
      assertThatThrownBy(() -> start(resource)).hasStackTraceContaining("'al'");
      assertThat(log.records())
          .filteredOn(record -> record.getLevel().equals(Level.SEVERE))
          .singleElement()
          .satisfies(
              record ->
                  assertThat(record.getMessage())
                      .startsWith("RateLimitFeature does not start:")
                      .contains("'al'"));
    }
    await().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  @Test
  void who_registers_an_object_closes_it() {
    HttpServer server;
    try (RateLimitFeature feature = new RateLimitFeature()) {
      server = start(new ResourceConfig(Fine.class).register(feature));
      assertThat(threads()).isNotEmpty();
      server.stop(0);
    }
    await().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  private static HttpServer start(Class<?> resource) {
    return start(new ResourceConfig(resource).register(RateLimitFeature.class));
  }

  private static HttpServer start(ResourceConfig application) {
    return JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
  }

  private static URI base(HttpServer server) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir"))
        .toList();
  }

  @Path("/")
  public static final class Fine {

    @GET
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Misspelt {

    @GET
    @RateLimited("al")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Leading {

    @Path("below")
    public Misspelt below() {
      return new Misspelt();
    }
  }
}

package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A resource with annotations that name limits of a file, while the file changes. */
class LiveResourceTest {

  private static final Duration SECONDS = Duration.ofSeconds(10);
  private static final String YAML =
      """
      limits: { named: 2 per day }
      rules: [{ name: all, match: /**, subject: global, limits: [50 per day] }]
      """;

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private java.nio.file.Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  private java.nio.file.Path file;

  /** Its method is limited by a name. */
  @Path("/")
  public static final class Limited {

    @GET
    @Path("limited")
    @RateLimited(value = "named", subject = "global")
    public String limited() {
      return "limited";
    }
  }

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("weir.yaml"), YAML);
  }

  private Weir open() {
    return Weir.open(
        new WeirSource(
            "live",
            Map.of("config", file.toString()),
            WeirSource.Resources.NONE,
            new ClassLoader(LiveResourceTest.class.getClassLoader()) {}));
  }

  private static Server serving(Weir weir) throws IOException {
    return JdkHttp.start(new ResourceConfig(Limited.class).register(new RateLimitFeature(weir)));
  }

  private static String problem(Weir weir) {
    return weir.status().loaded().problem().orElse("");
  }

  @Test
  void numbers_that_an_annotation_names_are_taken_up() throws Exception {
    try (Weir weir = open();
        Server server = serving(weir)) {
      RawHttp http = new RawHttp(server.base());
      for (int status : new int[] {200, 200, 429}) {
        assertThat(http.get("/limited").status()).isEqualTo(status);
      }
      Files.writeString(file, YAML.replace("2 per day", "3 per day"));
      await().atMost(SECONDS).until(() -> http.get("/limited").isPassed());
      assertThat(http.get("/limited").status()).isEqualTo(429);
    }
  }

  @Test
  void a_name_that_an_annotation_needs_cannot_go() throws Exception {
    try (Weir weir = open();
        Server server = serving(weir)) {
      Files.writeString(file, YAML.replace("named: 2", "nmaed: 1"));
      await().atMost(SECONDS).until(() -> problem(weir).contains("did you mean 'nmaed'"));
      RawHttp http = new RawHttp(server.base());
      for (int status : new int[] {200, 200, 429}) {
        assertThat(http.get("/limited").status()).isEqualTo(status);
      }
    }
  }

  @Test
  void a_rule_by_address_cannot_come_where_nobody_tells_the_address() throws Exception {
    try (Weir weir = open();
        Server server = serving(weir)) {
      Files.writeString(file, YAML.replace("subject: global", "subject: ip"));
      await().atMost(SECONDS).until(() -> problem(weir).contains("RateLimitFeature.clientAddress"));
      assertThat(new RawHttp(server.base()).get("/limited").isPassed()).isTrue();
    }
  }
}

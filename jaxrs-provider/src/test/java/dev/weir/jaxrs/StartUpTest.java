package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.logging.LogRecord;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is said when the application starts, and stops it. */
class StartUpTest {

  private static final String CONFIGURATION =
      """
      limits: { daily: 5 per day }
      rules: [{ name: named, match: annotations, subject: global, limits: [1 per hour] }]
      """;

  private static final String APPLY = "they apply where @RateLimited names them";

  @Test
  void what_only_annotations_use_is_no_alarm() {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = Weir.of(CONFIGURATION)) {
      assertThat(weir.rules()).hasSize(1);
      assertThat(log.records())
          .extracting(LogRecord::getMessage)
          .anyMatch(line -> line.endsWith("unused limits, daily: " + APPLY))
          .anyMatch(line -> line.endsWith("rules for annotations, named: " + APPLY))
          .noneMatch(line -> line.contains("no rule uses") || line.contains("limits nothing"));
    }
  }

  @Test
  void a_misspelt_name_is_refused_with_the_nearest() {
    try (Weir weir = Weir.of(CONFIGURATION)) {
      assertThatThrownBy(() -> JdkHttp.start(weir, Misspelt.class))
          .hasStackTraceContaining("Misspelt.get")
          .hasStackTraceContaining("'name'")
          .hasStackTraceContaining("did you mean 'named'?");
    }
  }

  @Test
  void a_subject_beside_a_rule_is_refused() {
    try (Weir weir = Weir.of(CONFIGURATION)) {
      assertThatThrownBy(() -> JdkHttp.start(weir, WithSubject.class))
          .hasStackTraceContaining("WithSubject.get")
          .hasStackTraceContaining("rule 'named'");
    }
  }

  @Test
  void a_limit_that_is_none_is_refused() {
    try (Weir weir = Weir.of(CONFIGURATION)) {
      assertThatThrownBy(() -> JdkHttp.start(weir, Malformed.class))
          .hasStackTraceContaining("Malformed.get")
          .hasStackTraceContaining("0 per minute");
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Neither.class, Both.class})
  void an_annotation_says_either_a_name_or_a_limit(Class<?> resource) {
    try (Weir weir = Weir.of(CONFIGURATION)) {
      assertThatThrownBy(() -> JdkHttp.start(weir, resource))
          .hasStackTraceContaining("@RateLimited at " + resource.getSimpleName() + ".get")
          .hasStackTraceContaining("(expected: one of the two)");
    }
  }

  @Test
  void without_a_configuration_there_is_no_application() {
    ResourceConfig application =
        new ResourceConfig(Resource.class).register(RateLimitFeature.class);
    assertThatThrownBy(() -> JdkHttp.start(application))
        .hasStackTraceContaining("RateLimitFeature")
        .hasStackTraceContaining("weir.yaml on the class path");
  }

  @Test
  void a_limit_in_an_annotation_needs_no_configuration() throws Exception {
    ResourceConfig application =
        new ResourceConfig(OfItsOwn.class).register(RateLimitFeature.class);
    try (JerseyServlet server = JerseyServlet.at("/*", application)) {
      RawHttp http = new RawHttp(server.start().base());
      assertThat(http.get("/own").status()).isEqualTo(200);
      assertThat(http.get("/own").status()).isEqualTo(429);
    }
  }

  @Test
  void with_neither_annotation_nor_configuration_no_request_passes() throws Exception {
    ResourceConfig application =
        new ResourceConfig(Unlimited.class).register(RateLimitFeature.class);
    try (JerseyServlet server = JerseyServlet.at("/*", application)) {
      assertThat(new RawHttp(server.start().base()).get("/plain").status()).isEqualTo(503);
    }
  }

  @Test
  void in_a_servlet_container_without_filter_and_file_there_is_no_application() {
    ResourceConfig application =
        new ResourceConfig(Resource.class).register(RateLimitFeature.class);
    try (JerseyServlet server = JerseyServlet.at("/*", application)) {
      assertThatThrownBy(server::start)
          .hasStackTraceContaining("RateLimitFeature")
          .hasStackTraceContaining("weir.yaml on the class path");
    }
  }

  @Test
  void in_a_servlet_container_what_code_has_opened_is_joined() throws Exception {
    ResourceConfig application =
        new ResourceConfig(Resource.class).register(RateLimitFeature.class);
    try (Weir weir = Weir.of(CONFIGURATION);
        Server server = JerseyServlet.at("/*", application).start()) {
      assertThat(weir.rules()).isNotEmpty();
      assertThat(new RawHttp(server.base()).get("/named").field("RateLimit"))
          .startsWith("\"named\"");
    }
  }

  @Path("/")
  public static final class Misspelt {

    @GET
    @RateLimited("name")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class WithSubject {

    @GET
    @RateLimited(value = "named", subject = "global")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Malformed {

    @GET
    @RateLimited(limit = "0 per minute", subject = "global")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Neither {

    @GET
    @RateLimited(subject = "global")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Both {

    @GET
    @RateLimited(value = "daily", limit = "5 per minute", subject = "global")
    public String get() {
      return "passed";
    }
  }

  /** Without a rule's name. */
  @Path("own")
  public static final class OfItsOwn {

    @GET
    @RateLimited(limit = "1 per hour")
    public String get() {
      return "passed";
    }
  }

  /** Without an annotation. */
  @Path("plain")
  public static final class Unlimited {

    @GET
    public String get() {
      return "passed";
    }
  }
}

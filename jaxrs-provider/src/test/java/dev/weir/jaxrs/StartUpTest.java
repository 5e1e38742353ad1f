package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.LogCapture;
import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.io.IOException;
import java.util.logging.LogRecord;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is said when the application starts, and stops it. */
class StartUpTest {

  private static final String GLOBAL =
      """
      limits: { daily: 5 per day }
      rules:
        - { name: all, match: /**, subject: global, limits: [9 per hour] }
        - { name: login, subject: global, limits: [1 per hour] }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"ip", "header:X-API-Key", "principal", "[path, ip]"})
  void a_rule_by_address_wants_to_be_told_the_address(String subject) {
    String rules = "rules: [{ name: all, match: /**, subject: %s, limits: [9 per hour] }]";
    try (Weir weir = Weir.of(rules.formatted(subject))) {
      assertThatThrownBy(() -> start(weir, Fine.class))
          .hasStackTraceContaining("rule 'all'")
          .hasStackTraceContaining("RateLimitFeature.clientAddress");
    }
  }

  @Test
  void an_annotation_by_address_wants_to_be_told_the_address() {
    try (Weir weir = Weir.of(GLOBAL)) {
      assertThatThrownBy(() -> start(weir, ByAddress.class))
          .hasStackTraceContaining("rule 'ByAddress.get'")
          .hasStackTraceContaining("RateLimitFeature.clientAddress");
    }
  }

  @Test
  void rules_that_need_no_address_start_without_one() throws IOException {
    try (Weir weir = Weir.of(GLOBAL);
        Server server = start(weir, Fine.class)) {
      assertThat(new RawHttp(server.base()).get("/").field("RateLimit")).startsWith("\"login\"");
    }
  }

  @Test
  void a_function_that_fails_never_becomes_an_error_of_the_server() throws IOException {
    String byAddress = "rules: [{ name: all, match: /**, subject: ip, limits: [2 per hour] }]";
    try (Weir weir = Weir.of(byAddress)) {
      RateLimitFeature failing =
          new RateLimitFeature(weir)
              .clientAddress(
                  request -> {
                    throw new IllegalStateException("key s3cret has no address");
                  });
      try (LogCapture log = new LogCapture(RateLimitFeature.class);
          Server server = JdkHttp.start(ScenarioApplication.with(failing))) {
        RawHttp http = new RawHttp(server.base());
        assertThat(http.get("/").isPassed()).isTrue();
        assertThat(http.get("/").isPassed()).isTrue();
        assertThat(http.get("/").status()).isEqualTo(429);
        assertThat(log.records()).hasSize(1);
        LogRecord told = log.records().get(0);
        assertThat(told.getMessage())
            .contains("java.lang.IllegalStateException at dev.weir.jaxrs.StartUpTest")
            .doesNotContain("s3cret");
        assertThat(told.getThrown()).isNull();
      }
    }
  }

  @Test
  void a_misspelt_name_is_refused_with_the_nearest() {
    try (Weir weir = Weir.of(GLOBAL)) {
      assertThatThrownBy(() -> start(weir, Misspelt.class))
          .hasStackTraceContaining("Misspelt.get")
          .hasStackTraceContaining("'logn'")
          .hasStackTraceContaining("did you mean 'login'?");
    }
  }

  @Test
  void a_subject_beside_a_rule_is_refused() {
    try (Weir weir = Weir.of(GLOBAL)) {
      assertThatThrownBy(() -> start(weir, WithSubject.class))
          .hasStackTraceContaining("WithSubject.get")
          .hasStackTraceContaining("rule 'login'");
    }
  }

  @Test
  void a_limit_that_is_none_is_refused() {
    try (Weir weir = Weir.of(GLOBAL)) {
      assertThatThrownBy(() -> start(weir, Malformed.class))
          .hasStackTraceContaining("Malformed.get")
          .hasStackTraceContaining("0 per minute");
    }
  }

  @Test
  void two_limits_in_place_that_would_be_called_the_same_are_refused() {
    try (Weir weir = Weir.of(GLOBAL)) {
      assertThatThrownBy(() -> start(weir, First.Orders.class, Second.Orders.class))
          .hasStackTraceContaining("@RateLimited at " + StartUpTest.class.getName())
          .hasStackTraceContaining("First$Orders.get()")
          .hasStackTraceContaining("Second$Orders.get()")
          .hasStackTraceContaining("called 'Orders.get'");
      assertThatThrownBy(() -> start(weir, Overloaded.class))
          .hasStackTraceContaining("Overloaded.get()")
          .hasStackTraceContaining("Overloaded.get(java.lang.String)");
    }
  }

  @Test
  void classes_of_one_name_may_name_one_limit() throws IOException {
    try (Weir weir = Weir.of(GLOBAL);
        Server server = start(weir, First.Named.class, Second.Named.class)) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/first/named").field("RateLimit")).startsWith("\"daily\";r=4;");
      assertThat(http.get("/second/named").field("RateLimit")).startsWith("\"daily\";r=3;");
    }
  }

  @Test
  void heirs_share_the_limit_of_the_class_that_has_it() throws IOException {
    try (Weir weir = Weir.of("nodes: 1");
        Server server = start(weir, First.Heir.class, Second.Heir.class)) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/first/heir").field("RateLimit")).startsWith("\"Base\";r=8;");
      assertThat(http.get("/second/heir").field("RateLimit")).startsWith("\"Base\";r=7;");
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Neither.class, Both.class})
  void an_annotation_says_either_a_name_or_a_limit(Class<?> resource) {
    try (Weir weir = Weir.of(GLOBAL)) {
      assertThatThrownBy(() -> start(weir, resource))
          .hasStackTraceContaining("@RateLimited at " + resource.getSimpleName() + ".get")
          .hasStackTraceContaining("(expected: one of the two)");
    }
  }

  @Test
  void without_a_configuration_there_is_no_application() {
    ResourceConfig application = new ResourceConfig(Fine.class).register(RateLimitFeature.class);
    assertThatThrownBy(() -> JdkHttp.start(application))
        .hasStackTraceContaining("RateLimitFeature")
        .hasStackTraceContaining("weir.yaml on the class path");
  }

  @Test
  void in_a_servlet_container_without_filter_and_file_there_is_no_application() {
    ResourceConfig application = new ResourceConfig(Fine.class).register(RateLimitFeature.class);
    try (JerseyServlet server = JerseyServlet.at("/*", application)) {
      assertThatThrownBy(server::start)
          .hasStackTraceContaining("RateLimitFeature")
          .hasStackTraceContaining("weir.yaml on the class path");
    }
  }

  @Test
  void in_a_servlet_container_what_code_has_opened_is_joined() throws Exception {
    ResourceConfig application = new ResourceConfig(Fine.class).register(RateLimitFeature.class);
    try (Weir weir = Weir.of(GLOBAL);
        Server server = JerseyServlet.at("/*", application).start()) {
      assertThat(weir.rules()).isNotEmpty();
      assertThat(new RawHttp(server.base()).get("/").field("RateLimit")).startsWith("\"login\"");
    }
  }

  private static Server start(Weir weir, Class<?>... resources) throws IOException {
    return JdkHttp.start(new ResourceConfig(resources).register(new RateLimitFeature(weir)));
  }

  @Path("/")
  public static final class Fine {

    @GET
    @RateLimited("login")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class ByAddress {

    @GET
    @RateLimited("daily")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Misspelt {

    @GET
    @RateLimited("logn")
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class WithSubject {

    @GET
    @RateLimited(value = "login", subject = "global")
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

  /** Where other classes of the same names are. */
  public static final class First {

    private First() {}

    @Path("first/orders")
    public static final class Orders {

      @GET
      @RateLimited(limit = "9 per hour", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("first/named")
    public static final class Named {

      @GET
      @RateLimited(value = "daily", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("first/heir")
    public static final class Heir extends Base {}
  }

  /** Where other classes of the same names are. */
  public static final class Second {

    private Second() {}

    @Path("second/orders")
    public static final class Orders {

      @GET
      @RateLimited(limit = "9 per hour", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("second/named")
    public static final class Named {

      @GET
      @RateLimited(value = "daily", subject = "global")
      public String get() {
        return "passed";
      }
    }

    @Path("second/heir")
    public static final class Heir extends Base {}
  }

  /** What others extend. */
  @RateLimited(limit = "9 per hour", subject = "global")
  public abstract static class Base {

    @GET
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Overloaded {

    @GET
    @RateLimited(limit = "9 per hour", subject = "global")
    public String get() {
      return "passed";
    }

    @GET
    @Path("{id}")
    @RateLimited(limit = "9 per hour", subject = "global")
    public String get(@PathParam("id") String id) {
      return id;
    }
  }
}

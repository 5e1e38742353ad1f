package dev.weir.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Pipeline;
import org.apache.catalina.authenticator.BasicAuthenticator;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.apache.tomcat.util.descriptor.web.SecurityCollection;
import org.apache.tomcat.util.descriptor.web.SecurityConstraint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Valve in an embedded Tomcat, with two applications; the whole table is with the containers. */
class RateLimitValveTest {

  private static final String NOBODY = "redis://127.0.0.1:1";

  private final Path directory;
  private final Tomcat tomcat = new Tomcat();
  private final Context shop;
  private final Context bank;

  RateLimitValveTest(@TempDir Path directory) {
    this.directory = directory;
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    shop = application("/shop");
    bank = application("/bank");
  }

  private Context application(String path) {
    Context context = tomcat.addContext(path, directory.toString());
    Tomcat.addServlet(context, "page", new Page());
    context.addServletMappingDecoded("/*", "page");
    return context;
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void of_a_host_all_applications_share_a_limit_and_so_does_what_is_in_none() throws Exception {
    start(tomcat.getHost().getPipeline(), Map.of("limit", "4 per hour", "subject", "ip"));
    assertThat(statuses("/shop/", "/bank/", "/shop/", "/none/", "/shop/", "/bank/", "/none/"))
        .containsExactly(200, 200, 200, 404, 429, 429, 429);
  }

  @Test
  void of_an_application_limits_that_one_alone() throws Exception {
    start(shop.getPipeline(), Map.of("limit", "1 per hour", "subject", "ip"));
    assertThat(statuses("/shop/", "/shop/", "/bank/", "/bank/"))
        .containsExactly(200, 429, 200, 200);
  }

  @Test
  void applications_with_the_same_attributes_share_a_limit_and_with_others_do_not()
      throws Exception {
    Map<String, String> same = Map.of("limit", "2 per hour", "subject", "ip");
    put(shop.getPipeline(), same);
    put(bank.getPipeline(), same);
    put(application("/club").getPipeline(), Map.of("limit", "1 per hour", "subject", "ip"));
    tomcat.start();
    assertThat(statuses("/shop/", "/bank/", "/bank/", "/club/", "/club/"))
        .containsExactly(200, 200, 429, 200, 429);
  }

  @Test
  void an_exception_that_a_framework_has_handled_is_no_failed_request() throws Exception {
    Path file = directory.resolve("weir.yaml");
    Files.writeString(
        file,
        "rules: [{ name: logins, match: /**, subject: ip, limits: [1 per hour], count: [401] }]");
    start(shop.getPipeline(), Map.of("config", file.toUri().toString()));
    assertThat(statuses("/shop/handled", "/shop/handled", "/shop/handled"))
        .containsExactly(200, 200, 200);
  }

  @Test
  void what_fails_stays_charged() throws Exception {
    Path file = directory.resolve("weir.yaml");
    Files.writeString(
        file,
        "rules: [{ name: logins, match: /**, subject: ip, limits: [1 per hour], count: [401] }]");
    start(shop.getPipeline(), Map.of("config", file.toString()));
    assertThat(statuses("/shop/failing", "/shop/failing")).containsExactly(500, 429);
  }

  @Test
  void its_threads_keep_no_application_that_was_undeployed() throws Exception {
    start(
        shop.getPipeline(),
        Map.of("limit", "1 per hour", "subject", "ip", "application", "shop", "redis", NOBODY));
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("weir"))
        .isNotEmpty()
        .allMatch(
            thread -> thread.getContextClassLoader() == RateLimitValve.class.getClassLoader());
  }

  @Test
  void limits_who_tries_passwords() throws Exception {
    put(shop.getPipeline(), Map.of("limit", "2 per hour", "subject", "ip"));
    protect(shop);
    tomcat.start();
    assertThat(statuses("/shop/", "/shop/", "/shop/")).containsExactly(401, 401, 429);
  }

  /** Tomcat logs in behind the valve, so that the rule applies and no warning is due. */
  @Test
  void limits_who_posts_to_the_form_login_and_does_not_say_otherwise() throws Exception {
    try (LogCapture log = new LogCapture("dev.weir")) {
      put(
          shop.getPipeline(),
          Map.of("limit", "2 per hour", "subject", "ip", "match", "POST /j_security_check"));
      tomcat.start();
      assertThat(log.text()).contains("rules 1").doesNotContain("not counted");
    }
  }

  @Test
  void finds_its_file_from_the_base_of_Tomcat() throws Exception {
    Files.createDirectories(directory.resolve("conf"));
    Files.writeString(
        directory.resolve("conf/weir.yaml"),
        "rules: [{ name: all, match: /**, subject: ip, limits: [1 per hour] }]");
    start(tomcat.getEngine().getPipeline(), Map.of("config", "conf/weir.yaml"));
    assertThat(statuses("/shop/", "/bank/")).containsExactly(200, 429);
  }

  @Test
  void leaves_nothing_behind_when_it_stops() throws Exception {
    start(
        tomcat.getHost().getPipeline(),
        Map.of("limit", "1 per hour", "subject", "ip", "application", "shop", "redis", NOBODY));
    assertThat(threads()).isNotEmpty();
    tomcat.stop();
    assertThat(threads()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit | 5 per fortnight | fortnight
          limti | 5 per hour      | limti
          """)
  void a_wrong_attribute_stops_Tomcat(String name, String value, String message) {
    assertThatThrownBy(() -> start(tomcat.getEngine().getPipeline(), Map.of(name, value)))
        .isInstanceOf(LifecycleException.class)
        .hasStackTraceContaining(message);
  }

  @Test
  void a_rule_that_would_serve_another_page_without_authentication_is_refused() throws Exception {
    Path file = directory.resolve("weir.yaml");
    Files.writeString(
        file,
        "{ application: shop, redis: '"
            + NOBODY
            + "', rules: [{ name: dear, match: /dear, limits: [1 per hour], on-denial: degrade to"
            + " /light }] }");
    assertThatThrownBy(() -> start(shop.getPipeline(), Map.of("config", file.toString())))
        .hasStackTraceContaining(
            "rule 'dear': on-denial: degrade to /light (expected: degrade, without a path");
    assertThat(threads()).isEmpty();
  }

  @Test
  void denials_that_another_page_would_answer_without_authentication_are_refused()
      throws Exception {
    Path file = directory.resolve("weir.yaml");
    Files.writeString(
        file,
        "{ responses: { denied: { forward: /too-many } }, rules: [{ name: dear, match: /dear,"
            + " limits: [1 per hour] }] }");
    assertThatThrownBy(() -> start(shop.getPipeline(), Map.of("config", file.toString())))
        .hasStackTraceContaining(
            "rule 'dear': denied: forward /too-many (expected: html, or json: a valve runs before"
                + " authentication)");
  }

  /** As the digester of server.xml sets attributes. */
  private static void put(Pipeline pipeline, Map<String, String> attributes) {
    RateLimitValve valve = new RateLimitValve();
    attributes.forEach(valve::setProperty);
    pipeline.addValve(valve);
  }

  private void start(Pipeline pipeline, Map<String, String> attributes) throws LifecycleException {
    put(pipeline, attributes);
    tomcat.start();
  }

  private static void protect(Context context) {
    SecurityCollection all = new SecurityCollection();
    all.addPattern("/*");
    SecurityConstraint constraint = new SecurityConstraint();
    constraint.addCollection(all);
    constraint.addAuthRole("clerk");
    context.addConstraint(constraint);
    context.setLoginConfig(new LoginConfig("BASIC", "shop", null, null));
    context.getPipeline().addValve(new BasicAuthenticator());
  }

  private List<Integer> statuses(String... paths) {
    URI base = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
    return Stream.of(paths).map(path -> new RawHttp(base).get(path).status()).toList();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir"))
        .toList();
  }

  /** Answers every path. */
  private static final class Page extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setStatus(HttpServletResponse.SC_OK);
      if (request.getRequestURI().endsWith("/handled")) { // as Spring tells its error view
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, new IllegalStateException());
        response.flushBuffer(); // or Tomcat makes 500 of it
      }
      if (request.getRequestURI().endsWith("/failing")) {
        throw new IllegalStateException("as a test wants");
      }
    }
  }
}

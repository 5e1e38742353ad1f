package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A filter that makes a request one for something else makes it obey the rules of that too. */
@ParameterizedClass(name = "{0}")
@EnumSource
class RewrittenPathTest {

  private static final String RULES =
      """
      rules:
        - { name: all, match: /**, subject: global, limits: [9 per hour] }
        - { name: login, match: PREFIX/login, subject: global, limits: [1 per hour] }
        - { name: nowhere, match: PREFIX/nowhere, subject: global, limits: [1 per hour] }
        - { name: delete, match: DELETE PREFIX/*, subject: global, limits: [1 per hour] }
        - { name: report, match: PREFIX/report.json, subject: principal, limits: [1 per hour] }
        - { name: reports, match: PREFIX/report, subject: principal, limits: [2 per hour] }
      """;

  @Parameter ServerKind kind = ServerKind.JDK;

  @Test
  void a_suffix_that_Jersey_cuts_off_is_no_way_around_a_rule() throws Exception {
    try (Weir weir = weir();
        Server server = kind.start(withSuffixes(weir))) {
      Answer first = get(server, "/login.json");
      assertThat(first.status()).isEqualTo(200);
      assertThat(first.field("RateLimit-Policy")).contains("\"all\"").contains("\"login\"");
      for (String spelling :
          new String[] {"/login.json", "/login.en", "/login.en.json", "/login"}) {
        Answer denied = get(server, spelling);
        assertThat(denied.status()).as(spelling).isEqualTo(429);
        assertThat(denied.has("Retry-After")).isTrue();
      }
    }
  }

  @Test
  void a_rule_of_both_paths_charges_once() throws Exception {
    try (Weir weir = weir();
        Server server = kind.start(withSuffixes(weir))) {
      assertThat(get(server, "/other.json").field("RateLimit")).startsWith("\"all\";r=8;");
      assertThat(get(server, "/other.json").field("RateLimit")).startsWith("\"all\";r=7;");
    }
  }

  @Test
  void what_does_not_exist_is_limited_by_its_new_path_as_well() throws Exception {
    try (Weir weir = weir();
        Server server = kind.start(withSuffixes(weir))) {
      assertThat(get(server, "/nowhere.json").status()).isEqualTo(404);
      assertThat(get(server, "/nowhere.json").status()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, Priorities.AUTHENTICATION, Priorities.USER, Integer.MAX_VALUE})
  void it_does_not_matter_when_a_filter_rewrites(int priority) throws Exception {
    try (Weir weir = weir();
        Server server = kind.start(application(weir).register(new Alias(), priority))) {
      assertThat(get(server, "/alias").status()).isEqualTo(200);
      assertThat(get(server, "/alias").status()).isEqualTo(429);
      assertThat(get(server, "/login").status()).isEqualTo(429);
    }
  }

  @Test
  void a_method_that_a_filter_makes_another_obeys_the_rules_of_that() throws Exception {
    try (Weir weir = weir();
        Server server = kind.start(application(weir).register(Verb.class))) {
      assertThat(get(server, "/thing", "X-Verb: DELETE").status()).isEqualTo(405);
      assertThat(get(server, "/thing", "X-Verb: DELETE").status()).isEqualTo(429);
      assertThat(get(server, "/thing").status()).isEqualTo(200);
    }
  }

  @Test
  void a_new_path_is_limited_before_authentication() throws Exception {
    try (Weir weir = weir();
        Server server = kind.start(withSuffixes(weir).register(Authentication.class))) {
      assertThat(get(server, "/login.json").status()).isEqualTo(401);
      assertThat(get(server, "/login.json").status()).isEqualTo(429);
    }
  }

  @Test
  void rules_that_count_users_wait_for_them_under_both_paths() throws Exception {
    try (Weir weir = weir();
        Server server = kind.start(withSuffixes(weir).register(Authentication.class))) {
      Answer first = get(server, "/report.json", "X-User: ann");
      assertThat(first.field("RateLimit-Policy")).contains("\"report\"").contains("\"reports\"");
      assertThat(get(server, "/report.json", "X-User: ann").status()).isEqualTo(429);
      assertThat(get(server, "/report", "X-User: ann").status()).isEqualTo(200);
      assertThat(get(server, "/report.json", "X-User: bob").status()).isEqualTo(200);
    }
  }

  private Weir weir() {
    return Weir.of(RULES.replace("PREFIX", kind.path("")));
  }

  private Answer get(Server server, String path, String... fields) {
    return new RawHttp(server.base()).get(kind.path(path), fields);
  }

  private static ResourceConfig withSuffixes(Weir weir) {
    return application(weir)
        .property(ServerProperties.MEDIA_TYPE_MAPPINGS, "json : text/plain")
        .property(ServerProperties.LANGUAGE_MAPPINGS, Map.of("en", "en"));
  }

  private static ResourceConfig application(Weir weir) {
    RateLimitFeature feature = new RateLimitFeature(weir);
    return ScenarioApplication.with(feature.clientAddress(Server::peerAddress));
  }

  /** Lets a resource have another name. */
  @PreMatching
  private static final class Alias implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String path = request.getUriInfo().getRequestUri().getRawPath();
      request.setRequestUri(
          request
              .getUriInfo()
              .getRequestUriBuilder()
              .replacePath(path.replace("/alias", "/login"))
              .build());
    }
  }

  /** Trusts a header field that no standard defines. */
  @PreMatching
  public static final class Verb implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String verb = request.getHeaderString("X-Verb");
      if (verb != null) {
        request.setMethod(verb);
      }
    }
  }

  /** Trusts any name that a request states. */
  @Priority(Priorities.AUTHENTICATION)
  public static final class Authentication implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String name = request.getHeaderString("X-User");
      if (name == null) {
        request.abortWith(Response.status(401).build());
      } else {
        request.setSecurityContext(new Named(name));
      }
    }
  }

  private record Named(String name) implements SecurityContext {

    @Override
    public Principal getUserPrincipal() {
      return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return "test";
    }
  }
}

package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.Objects;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What an annotation limits, and by whom it counts. */
@TestInstance(Lifecycle.PER_CLASS)
class RateLimitedTest {

  private static final String CONFIGURATION =
      """
      limits:
        daily: 3 per day
      rules:
        - { name: flood, match: /**, subject: ip, limits: [1000 per second] }
        - { name: login, subject: ip, limits: [1 per hour] }
        - { name: user, match: /by-user/**, subject: principal, limits: [1 per hour] }
        - { name: both, match: /both, subject: ip, limits: [9 per hour] }
        - { name: off, enabled: false, subject: ip, limits: [1 per hour] }
      """;

  private final Weir weir = Weir.of(CONFIGURATION);
  private @Nullable Server server;

  @BeforeAll
  void start() throws Exception {
    RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
    server =
        JdkHttp.start(
            new ResourceConfig(
                    Methods.class, Classes.class, Inherited.class, Locator.class, Users.class)
                .register(feature)
                .register(Authentication.class));
  }

  @AfterAll
  void stop() {
    running().close();
    weir.close();
  }

  @Test
  void a_rule_is_bound_by_its_name() {
    RawHttp http = http();
    assertThat(http.get("/login").field("RateLimit")).startsWith("\"login\";r=0;");
    Answer denied = http.get("/login");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.body()).contains("\"violated-policies\":[\"login\"]");
    assertThat(denied.has("Retry-After")).isTrue();
  }

  @Test
  void a_limit_of_the_file_is_shared_by_all_who_name_it() {
    RawHttp http = http();
    String key = "X-API-Key: shared";
    assertThat(http.get("/daily/one", key).field("RateLimit")).startsWith("\"daily\";r=2;");
    assertThat(http.get("/daily/two", key).field("RateLimit")).startsWith("\"daily\";r=1;");
  }

  @Test
  void a_limit_in_place_is_the_methods_own() {
    RawHttp http = http();
    assertThat(http.get("/own").field("RateLimit")).startsWith("\"Methods.own\";r=1;");
    assertThat(http.get("/own").field("RateLimit")).startsWith("\"Methods.own\";r=0;");
    assertThat(http.get("/own").status()).isEqualTo(429);
  }

  @Test
  void HEAD_counts_like_the_GET_that_answers_it() {
    RawHttp http = http();
    assertThat(http.send("HEAD", "/head").isPassed()).isTrue();
    assertThat(http.get("/head").status()).isEqualTo(429);
  }

  @Test
  void a_request_takes_as_many_permits_as_it_costs() {
    RawHttp http = http();
    assertThat(http.get("/dear").field("RateLimit")).startsWith("\"Methods.dear\";r=2;");
    assertThat(http.get("/dear").status()).isEqualTo(429);
  }

  @Test
  void several_are_decided_together_and_each_counts() {
    RawHttp http = http();
    Answer answer = http.get("/several");
    assertThat(answer.field("RateLimit-Policy"))
        .contains("\"Methods.several\";q=2;w=3600")
        .contains("\"Methods.several.2\";q=5;w=60");
    http.get("/several");
    assertThat(http.get("/several").body()).contains("\"violated-policies\":[\"Methods.several\"]");
  }

  @Test
  void the_path_is_the_template_and_not_what_was_asked_for() {
    RawHttp http = http();
    assertThat(http.get("/reports/1").isPassed()).isTrue();
    assertThat(http.get("/reports/2").status()).isEqualTo(429);
    assertThat(http.get("/reports/1/pages").isPassed()).as("another template").isTrue();
  }

  @Test
  void a_methods_annotation_replaces_its_classs() {
    RawHttp http = http();
    assertThat(http.get("/class").field("RateLimit")).startsWith("\"Classes\";r=4;");
    assertThat(http.get("/class/other").field("RateLimit")).startsWith("\"Classes\";r=3;");
    Answer replaced = http.get("/class/method");
    assertThat(replaced.field("RateLimit")).startsWith("\"Classes.method\";r=1;");
    assertThat(replaced.field("RateLimit-Policy")).doesNotContain("\"Classes\";");
  }

  @Test
  void an_annotation_on_an_interface_holds_where_JAX_RS_finds_its_path() {
    RawHttp http = http();
    assertThat(http.get("/inherited/7").field("RateLimit")).startsWith("\"Inherited.get\";r=0;");
    assertThat(http.get("/inherited/8").status()).isEqualTo(429);
  }

  @Test
  void below_a_locator_an_annotation_holds_too() {
    RawHttp http = http();
    assertThat(http.get("/located/1/rest").field("RateLimit")).startsWith("\"Rest.get\";r=0;");
    assertThat(http.get("/located/2/rest").status()).isEqualTo(429);
  }

  @Test
  void a_rule_that_the_file_has_decided_is_not_charged_again() {
    RawHttp http = http();
    assertThat(http.get("/both").field("RateLimit")).startsWith("\"both\";r=8;");
    assertThat(http.get("/both").field("RateLimit")).startsWith("\"both\";r=7;");
  }

  @Test
  void a_rule_that_is_disabled_limits_nothing() {
    RawHttp http = http();
    assertThat(http.get("/off").field("RateLimit")).startsWith("\"flood\"");
    assertThat(http.get("/off").field("RateLimit")).startsWith("\"flood\"");
  }

  @Test
  void an_exception_carries_the_fields() {
    Answer answer = http().get("/throwing");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.field("RateLimit")).startsWith("\"Methods.throwing\";r=8;");
  }

  @Test
  void who_is_authenticated_is_known_to_a_rule_that_counts_users() {
    RawHttp http = http();
    assertThat(http.get("/users", "X-User: ann").isPassed()).isTrue();
    assertThat(http.get("/users", "X-User: ann").status()).isEqualTo(429);
    assertThat(http.get("/users", "X-User: bob").isPassed()).isTrue();
  }

  @Test
  void who_is_authenticated_is_known_to_a_rule_of_the_file_that_counts_users() {
    RawHttp http = http();
    Answer first = http.get("/by-user", "X-User: ann");
    assertThat(first.field("RateLimit")).startsWith("\"user\";r=0;");
    assertThat(first.field("RateLimit-Policy")).contains("\"flood\"").contains("\"user\"");
    assertThat(http.get("/by-user", "X-User: ann").status()).isEqualTo(429);
    assertThat(http.get("/by-user", "X-User: bob").isPassed()).isTrue();
  }

  @Test
  void nobody_counts_by_address_for_a_rule_of_the_file_that_counts_users() {
    RawHttp http = http();
    assertThat(http.get("/by-user/anybody").isPassed()).isTrue();
    assertThat(http.get("/by-user/anybody").status()).isEqualTo(429);
  }

  @Test
  void other_rules_come_before_authentication() {
    RawHttp http = http();
    assertThat(http.get("/guarded", "X-User: nobody").status()).isEqualTo(401);
    assertThat(http.get("/guarded", "X-User: nobody").status()).isEqualTo(429);
  }

  private RawHttp http() {
    return new RawHttp(running().base());
  }

  private Server running() {
    return Objects.requireNonNull(server);
  }

  @Path("/")
  public static final class Methods {

    @GET
    @Path("login")
    @RateLimited("login")
    public String login() {
      return "passed";
    }

    @GET
    @Path("daily/one")
    @RateLimited(value = "daily", subject = "header:X-API-Key")
    public String one() {
      return "passed";
    }

    @GET
    @Path("daily/two")
    @RateLimited(value = "daily", subject = "header:X-API-Key")
    public String two() {
      return "passed";
    }

    @GET
    @Path("own")
    @RateLimited(limit = "2 per hour")
    public String own() {
      return "passed";
    }

    @GET
    @Path("head")
    @RateLimited(limit = "1 per hour")
    public String head() {
      return "passed";
    }

    @GET
    @Path("dear")
    @RateLimited(limit = "5 per hour", cost = 3)
    public String dear() {
      return "passed";
    }

    @GET
    @Path("several")
    @RateLimited(limit = "2 per hour", subject = "ip")
    @RateLimited(limit = "5 per minute", subject = "global")
    public String several() {
      return "passed";
    }

    @GET
    @Path("reports/{id: [0-9]+}")
    @RateLimited(
        limit = "1 per hour",
        subject = {"ip", "path"})
    public String report(@PathParam("id") String id) {
      return id;
    }

    @GET
    @Path("reports/{id}/pages")
    @RateLimited(
        limit = "1 per hour",
        subject = {"ip", "path"})
    public String pages(@PathParam("id") String id) {
      return id;
    }

    @GET
    @Path("both")
    @RateLimited("both")
    public String both() {
      return "passed";
    }

    @GET
    @Path("off")
    @RateLimited("off")
    public String off() {
      return "passed";
    }

    @GET
    @Path("throwing")
    @RateLimited(limit = "9 per hour")
    public String throwing() {
      throw new NotFoundException();
    }
  }

  @Path("class")
  @RateLimited(limit = "5 per hour")
  public static final class Classes {

    @GET
    public String get() {
      return "passed";
    }

    @GET
    @Path("other")
    public String other() {
      return "passed";
    }

    @GET
    @Path("method")
    @RateLimited(limit = "2 per hour")
    public String method() {
      return "passed";
    }
  }

  /** What a resource class implements. */
  public interface Api<T> {

    @GET
    @Path("{id}")
    @RateLimited(limit = "1 per hour")
    String get(@PathParam("id") T id);
  }

  @Path("inherited")
  public static final class Inherited implements Api<String> {

    @Override
    public String get(String id) {
      return id;
    }
  }

  @Path("located/{id}")
  public static final class Locator {

    @Path("rest")
    public Rest rest() {
      return new Rest();
    }
  }

  public static final class Rest {

    @GET
    @RateLimited(
        limit = "1 per hour",
        subject = {"ip", "path"})
    public String get() {
      return "passed";
    }
  }

  @Path("/")
  public static final class Users {

    @GET
    @Path("users")
    @RateLimited(limit = "1 per hour", subject = "principal")
    public String users() {
      return "passed";
    }

    @GET
    @Path("by-user")
    public String byUser() {
      return "passed";
    }

    @GET
    @Path("by-user/anybody")
    public String byAnybody() {
      return "passed";
    }

    @GET
    @Path("guarded")
    @RateLimited(limit = "1 per hour")
    public String guarded() {
      return "passed";
    }
  }

  /** Believes whoever says a name, but not nobody. */
  @Priority(Priorities.AUTHENTICATION)
  public static final class Authentication implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String name = request.getHeaderString("X-User");
      if ("nobody".equals(name)) {
        request.abortWith(jakarta.ws.rs.core.Response.status(401).build());
      } else if (name != null) {
        request.setSecurityContext(new Named(request.getSecurityContext(), () -> name));
      }
    }

    private record Named(SecurityContext other, Principal user) implements SecurityContext {

      @Override
      public Principal getUserPrincipal() {
        return user;
      }

      @Override
      public boolean isUserInRole(String role) {
        return other.isUserInRole(role);
      }

      @Override
      public boolean isSecure() {
        return other.isSecure();
      }

      @Override
      public String getAuthenticationScheme() {
        return "test";
      }
    }
  }
}

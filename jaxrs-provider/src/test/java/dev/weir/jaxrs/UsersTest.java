package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.security.Principal;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Rules that count users wait until these are known, and no other does. */
@TestInstance(Lifecycle.PER_CLASS)
class UsersTest {

  private static final String CONFIGURATION =
      """
      tiers: { role: { roles: { customer: pro }, otherwise: free } }
      rules:
        - { name: tiered, match: /tiered, subject: global, tier: role, limits: { free: 1 per hour, pro: 3 per hour } }
        - { name: flood, match: /**, subject: ip, limits: [1000 per second] }
        - { name: user, match: /by-user/**, subject: principal, limits: [1 per hour] }
      """;

  @AutoClose
  private final LimitedApplication application =
      LimitedApplication.start(CONFIGURATION, Users.class, Authentication.class);

  private final RawHttp http = application.http();

  UsersTest() throws IOException {}

  @Test
  void who_is_authenticated_is_known_to_a_rule_that_counts_users() {
    assertThat(http.get("/users", "X-User: ann").isPassed()).isTrue();
    assertThat(http.get("/users", "X-User: ann").status()).isEqualTo(429);
    assertThat(http.get("/users", "X-User: bob").isPassed()).isTrue();
  }

  @Test
  void who_is_authenticated_is_known_to_a_rule_of_the_file_that_counts_users() {
    Answer first = http.get("/by-user", "X-User: ann");
    assertThat(first.field("RateLimit")).startsWith("\"user\";r=0;");
    assertThat(first.field("RateLimit-Policy")).contains("\"flood\"").contains("\"user\"");
    assertThat(http.get("/by-user", "X-User: ann").status()).isEqualTo(429);
    assertThat(http.get("/by-user", "X-User: bob").isPassed()).isTrue();
  }

  @Test
  void nobody_counts_by_address_for_a_rule_of_the_file_that_counts_users() {
    assertThat(http.get("/by-user/anybody").isPassed()).isTrue();
    assertThat(http.get("/by-user/anybody").status()).isEqualTo(429);
  }

  @Test
  void the_role_of_who_is_authenticated_tells_the_plan() {
    assertThat(http.get("/tiered").field("RateLimit")).startsWith("\"tiered.free\";r=0;");
    assertThat(http.get("/tiered", "X-User: ann").status()).isEqualTo(429);
    assertThat(http.get("/tiered", "X-User: customer").field("RateLimit"))
        .startsWith("\"tiered.pro\";r=2;");
  }

  @Test
  void other_rules_come_before_authentication() {
    assertThat(http.get("/guarded", "X-User: nobody").status()).isEqualTo(401);
    assertThat(http.get("/guarded", "X-User: nobody").status()).isEqualTo(429);
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
    @Path("tiered")
    public String tiered() {
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

  /** Trusts any name that a request states, except for one that it answers with 401. */
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
        return user.getName().equals(role);
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

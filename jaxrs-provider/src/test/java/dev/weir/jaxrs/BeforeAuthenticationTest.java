package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Password guessing is limited, wherever passwords are checked. */
class BeforeAuthenticationTest {

  private static final String ONE_PER_HOUR =
      "rules: [{ name: login, match: /login, subject: global, limits: [1 per hour] }]";

  @ParameterizedTest
  @ValueSource(classes = {BeforeMatching.class, AfterMatching.class})
  void what_authentication_refuses_is_counted(Class<?> authentication) throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        Server server =
            JdkHttp.start(
                ScenarioApplication.with(new RateLimitFeature(weir)).register(authentication))) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/login").status()).isEqualTo(401);
      assertThat(http.get("/login").status()).isEqualTo(429);
    }
  }

  @Priority(Priorities.AUTHENTICATION)
  public static class AfterMatching implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      request.abortWith(Response.status(401).build());
    }
  }

  @PreMatching
  @Priority(Priorities.AUTHENTICATION)
  public static final class BeforeMatching extends AfterMatching {}
}

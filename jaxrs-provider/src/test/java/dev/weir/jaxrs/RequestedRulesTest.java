package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules by a variable of the path, a redirect and an attribute, in each kind of server. */
class RequestedRulesTest {

  private static final String RULES =
      """
      rules:
        - { name: orders, match: "%1$s/orders/{id}", subject: path:id, limits: [2 per hour] }
        - { name: logins, match: %1$s/login, subject: global, limits: [2 per hour], count: "redirect:*" }
        - { name: signins, match: %1$s/signin, subject: global, limits: [2 per hour], count: attribute:login.failed }
      """;

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void each_order_has_its_own_limit(ServerKind kind) throws Exception {
    try (Weir weir = weir(kind, "/login?error*");
        Server server = kind.start(application(weir))) {
      RawHttp http = new RawHttp(server.base());
      assertThat(statuses(http, kind.path("/orders/7"), 3)).containsExactly(200, 200, 429);
      assertThat(http.get(kind.path("/orders/%37")).status()).isEqualTo(429);
      assertThat(http.get(kind.path("/orders/7;v=1")).status()).isEqualTo(429);
      assertThat(http.get(kind.path("/orders/8")).status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void a_failed_login_counts_by_its_redirect(ServerKind kind) throws Exception {
    try (Weir weir = weir(kind, kind.path("/login?error*"));
        Server server = kind.start(application(weir))) {
      RawHttp http = new RawHttp(server.base());
      assertThat(statuses(http, kind.path("/login?password=right"), 4)).containsOnly(303);
      assertThat(statuses(http, kind.path("/login?password=wrong"), 3))
          .containsExactly(303, 303, 429);
    }
  }

  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void a_failed_login_counts_where_the_application_says_so(ServerKind kind) throws Exception {
    try (Weir weir = weir(kind, "/login?error*");
        Server server = kind.start(application(weir))) {
      RawHttp http = new RawHttp(server.base());
      assertThat(statuses(http, kind.path("/signin?password=right"), 4)).containsOnly(200);
      assertThat(statuses(http, kind.path("/signin?password=wrong"), 3))
          .containsExactly(200, 200, 429);
    }
  }

  private static List<Integer> statuses(RawHttp http, String path, int times) {
    return IntStream.range(0, times).mapToObj(i -> http.get(path).status()).toList();
  }

  private static Weir weir(ServerKind kind, String redirect) {
    return Weir.of(RULES.formatted(kind.path("")).replace("redirect:*", "redirect:" + redirect));
  }

  private static ResourceConfig application(Weir weir) {
    RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
    return new ResourceConfig(Legacy.class, Marks.class).register(feature);
  }

  /** Redirects a login to the page for failures, or home. */
  @Path("/")
  public static final class Legacy {

    @GET
    @Path("orders/{id}")
    public String order() {
      return "an order";
    }

    @GET
    @Path("login")
    public Response login(@QueryParam("password") String password) {
      boolean isRight = password.equals("right");
      return Response.seeOther(URI.create(isRight ? "home" : "login?error=1")).build();
    }

    @GET
    @Path("signin")
    public String signin() {
      return "a page";
    }
  }

  /** Says which logins have failed. */
  public static final class Marks implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      String password = request.getUriInfo().getQueryParameters().getFirst("password");
      request.setProperty("login.failed", "wrong".equals(password));
    }
  }
}

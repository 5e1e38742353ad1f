package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter alone, in front of resources that know nothing of limits. */
class FilterBeforeJerseyTest {

  private static final String ONE_PER_HOUR =
      "rules: [{ name: login, match: /rest/users/login, subject: ip, limits: [1 per hour] }]";

  /** The digest is that of "stolen". */
  private static final String BY_COOKIE =
      """
      rules:
        - name: sessions
          match: /**
          subject: cookie:session
          deny: { key: cookie:session, sha256: 823d95a9a728f14d626df9a894705dda27417b8927412364255b515e9f2ac2e2 }
          limits: [1 per hour]
      """;

  /** Jersey reads each of them. Jetty and Tomcat drop some, or read another cookie in them. */
  private static final List<String> SPELLINGS =
      List.of(
          "session=%s",
          "session=\"%s\"",
          "session = %s",
          "session=%s,",
          "session=%s,x",
          "session=\t%s",
          "a=b, session=%s",
          "a=b,session=%s",
          "a b=c; session=%s",
          "a=\"x; session=%s",
          "a=\"x; session=%s; b=y\"",
          "$Version=1; session=%s",
          "$Version=1, session=%s");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rest/users/login",
        "/rest/users;x/login",
        "/rest;x/users/login",
        "/rest;users/login",
        "/rest;users/login;x=1",
        "/rest;users%2Flogin",
        "/rest;us%65rs/login",
        "//rest/users/login"
      })
  void no_spelling_that_Jersey_understands_passes_the_rule_by(String spelling) throws Exception {
    ResourceConfig resources = new ResourceConfig(ScenarioApplication.Anything.class);
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        Server server =
            JerseyServlet.at("/rest/*", resources).behind(new RateLimitFilter(weir)).start()) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/rest/users/login").isPassed()).isTrue();
      Answer answer = http.get(spelling);
      assertThat(answer.status()).as(answer.toString()).isNotEqualTo(200);
    }
  }

  @Test
  void no_spelling_of_a_cookie_that_Jersey_understands_passes_its_rule_by_in_Jetty()
      throws Exception {
    try (Weir weir = Weir.of(BY_COOKIE);
        Server server =
            JerseyServlet.at("/*", new ResourceConfig(Session.class))
                .behind(new RateLimitFilter(weir))
                .start()) {
      assertThatEachSpellingCounts(new RawHttp(server.base()));
    }
  }

  @Test
  void no_spelling_of_a_cookie_that_Jersey_understands_passes_its_rule_by_in_Tomcat()
      throws Exception {
    try (Weir weir = Weir.of(BY_COOKIE);
        Server server =
            JerseyTomcat.at("/*", new ResourceConfig(Session.class))
                .behind(new RateLimitFilter(weir))
                .start()) {
      assertThatEachSpellingCounts(new RawHttp(server.base()));
    }
  }

  private static void assertThatEachSpellingCounts(RawHttp http) {
    assertThat(http.get("/", "Cookie: session=mine").body()).isEqualTo("session mine");
    for (String spelling : SPELLINGS) {
      assertThat(http.get("/", "Cookie: " + spelling.formatted("mine")).status())
          .as(spelling)
          .isEqualTo(429);
      assertThat(http.get("/", "Cookie: " + spelling.formatted("stolen")).status())
          .as(spelling)
          .isEqualTo(403);
    }
  }

  /** A resource that knows its client by the cookie. */
  @Path("/")
  public static final class Session {
    @GET
    public String get(@CookieParam("session") String session) {
      return "session " + session;
    }
  }
}

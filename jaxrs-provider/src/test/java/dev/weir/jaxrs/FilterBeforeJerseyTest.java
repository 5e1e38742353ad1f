package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter alone, in front of resources that know nothing of limits. */
class FilterBeforeJerseyTest {

  private static final String ONE_PER_HOUR =
      "rules: [{ name: login, match: /rest/users/login, subject: ip, limits: [1 per hour] }]";

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
}

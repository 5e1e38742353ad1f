package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The path that rules match begins behind the context path, however that is written. */
class ContextPathTest {

  private static final String ONE_PER_HOUR =
      "rules: [{ name: login, match: /rest/login, subject: ip, limits: [1 per hour] }]";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shop/rest/login",
        "/%73hop/rest/login",
        "/shop;x=1/rest/login",
        "/shop/%72est/login",
        "/shop/rest;x/login",
        "/shop/rest;login",
        "/shop/rest;login;x",
        "//shop/rest/login",
        "/x/../shop/rest/login"
      })
  void no_spelling_of_it_passes_the_rule_by(String spelling) throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR);
        Server server =
            JerseyServlet.at("/rest/*", ScenarioApplication.with(new RateLimitFeature(weir)))
                .start()) {
      assertThat(new RawHttp(server.base()).get("/rest/login").isPassed()).isTrue();
      Answer answer = new RawHttp(root(server.base())).get(spelling);
      assertThat(answer.status()).as(answer.toString()).isNotEqualTo(200);
    }
  }

  private static URI root(URI base) {
    return URI.create("http://" + base.getAuthority());
  }
}

package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** An application that outlives its limits answers every request with 503, and does not fail. */
class ClosedWeirTest {

  @Test
  void requests_are_refused_with_503_and_the_log_tells_once() throws Exception {
    Weir weir =
        Weir.of("rules: [{ name: all, match: /**, subject: global, limits: [9 per hour] }]");
    try (LogCapture log = new LogCapture(RateLimitProvider.class);
        Server server = JdkHttp.start(ScenarioApplication.with(new RateLimitFeature(weir)))) {
      RawHttp http = new RawHttp(server.base());
      assertThat(http.get("/").status()).isEqualTo(200);
      weir.close();
      assertThat(http.get("/").status()).isEqualTo(503);
      assertThat(http.get("/").status()).isEqualTo(503);
      assertThat(log.records())
          .singleElement()
          .satisfies(
              record -> {
                assertThat(record.getLevel()).isEqualTo(Level.SEVERE);
                assertThat(record.getParameters())
                    .singleElement()
                    .asString()
                    .contains("weir: closed");
              });
    }
  }

  @Test
  void a_feature_does_not_close_what_it_was_given() throws Exception {
    try (Weir weir = Weir.of("nodes: 1")) {
      RateLimitFeature feature = new RateLimitFeature(weir);
      JdkHttp.start(ScenarioApplication.with(feature)).close();
      feature.close();
      assertThat(weir.rules()).isEmpty();
    }
  }
}

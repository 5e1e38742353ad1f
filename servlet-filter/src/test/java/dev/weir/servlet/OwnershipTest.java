package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

/** The component that opens a Weir closes it. */
class OwnershipTest {

  private static final String ONE_PER_HOUR =
      "rules: [{ name: a, match: /**, subject: ip, limits: [1 per hour] }]";

  @Test
  void a_filter_leaves_a_Weir_that_it_was_given_running() throws Exception {
    try (Weir weir = Weir.of(ONE_PER_HOUR)) {
      try (JettyServlets jetty = with(weir)) {
        assertThat(new RawHttp(jetty.base()).get("/").isPassed()).isTrue();
      }
      try (JettyServlets jetty = with(weir)) {
        assertThat(new RawHttp(jetty.base()).get("/").status()).isEqualTo(429);
      }
      assertThat(weir.status().decisions()).hasSize(2);
    }
  }

  @Test
  void destroying_a_filter_that_was_never_initialised_does_nothing() {
    new RateLimitFilter().destroy();
  }

  @Test
  void a_closed_Weir_is_refused_at_once() {
    Weir weir = Weir.of(ONE_PER_HOUR);
    weir.close();
    assertThatThrownBy(() -> new RateLimitFilter(weir)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_filter_that_was_given_a_Weir_needs_no_configuration_of_its_own() throws Exception {
    try (Weir weir = ofAnotherClassLoader();
        JettyServlets jetty =
            new JettyServlets()
                .initializer(new EagerStart())
                .filter(new RateLimitFilter(weir))
                .servlet("/", (request, response) -> response.setStatus(204))
                .start()) {
      assertThat(new RawHttp(jetty.base()).get("/").isPassed()).isTrue();
      assertThat(new RawHttp(jetty.base()).get("/").status()).isEqualTo(429);
    }
  }

  private static Weir ofAnotherClassLoader() throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader another = new URLClassLoader(new URL[0], before)) {
      thread.setContextClassLoader(another);
      return Weir.of(ONE_PER_HOUR);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static JettyServlets with(Weir weir) throws Exception {
    return new JettyServlets()
        .filter(new RateLimitFilter(weir))
        .servlet("/", (request, response) -> response.setStatus(204))
        .start();
  }
}

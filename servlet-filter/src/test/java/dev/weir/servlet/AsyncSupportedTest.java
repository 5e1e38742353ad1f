package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.fixture.LogCapture;
import dev.weir.http.RawHttp;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request of which something does not support asynchronous work waits on its thread. */
class AsyncSupportedTest {

  private static final String WARNING = "because 'async-supported' is not set";

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          async,     false, /slow, true
          async,     true,  /slow, false
          on-thread, false, /slow, false
          async,     false, /free, false
          """)
  void the_log_says_so_once_when_a_request_is_to_wait(
      String delays, boolean isSupported, String path, boolean isWarned) throws Exception {
    String yaml =
        """
        delays: %s
        rules:
          - { name: slow, match: /slow, subject: global, limits: ["20 per second, burst 1"], on-denial: delay up to 20s }
          - { name: free, match: /free, subject: global, limits: [1000 per second] }
        """
            .formatted(delays);
    try (LogCapture log = new LogCapture("dev.weir.servlet");
        Weir weir = Weir.of(yaml);
        JettyServlets jetty =
            new JettyServlets()
                .filter(supporting(isSupported))
                .filter(new RateLimitFilter(weir))
                .servlet("/", (request, response) -> response.setStatus(204))
                .start()) {
      RawHttp http = new RawHttp(jetty.base());
      for (int i = 0; i < 4; i++) {
        assertThat(http.get(path).status()).isEqualTo(204);
      }
      assertThat(log.records())
          .filteredOn(record -> record.getMessage().contains(WARNING))
          .hasSize(isWarned ? 1 : 0);
    }
  }

  /** Stands for a filter in front that declares this. */
  private static Filter supporting(boolean isSupported) {
    return (request, response, chain) ->
        chain.doFilter(
            new HttpServletRequestWrapper((HttpServletRequest) request) {
              @Override
              public boolean isAsyncSupported() {
                return isSupported && super.isAsyncSupported();
              }
            },
            response);
  }
}

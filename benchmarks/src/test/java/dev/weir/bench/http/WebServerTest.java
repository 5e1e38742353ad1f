package dev.weir.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.Build;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebServerTest {

  private static final int KEYS = 10;

  /** Allows one key of ten. */
  public static final class OneInTen extends KeyFilter {

    private static final long serialVersionUID = 1L;

    /** Created by the container. */
    public OneInTen() {}

    @Override
    Answer answer(String key) {
      return new Answer(key.endsWith("0"), 7, 1);
    }
  }

  private static final String YAML =
      """
      limits: { api: "%s" }
      rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
      """;

  @Test
  void the_driver_counts_what_is_answered_and_what_is_denied() throws Exception {
    try (WebServer server = new WebServer()) {
      server.unlimited("unlimited");
      server.weir("weir", YAML.formatted("1 per hour"));
      server.filter("made", Build.current(), OneInTen.class, Map.of());
      server.start();

      assertThat(run(server, "unlimited").failures()).isZero();
      Driver.Outcome limited = run(server, "weir");
      // answers to requests in flight when a run ends are not read
      assertThat(limited.requests() - limited.failures()).isBetween(1L, (long) KEYS);
      Driver.Outcome made = run(server, "made");
      assertThat(made.failures()).isBetween(made.requests() / 2, made.requests() - 1);
    }
  }

  /** Until each key has asked, however slow the machine is. */
  private static Driver.Outcome run(WebServer server, String application) throws IOException {
    Driver.Outcome all = new Driver.Outcome(0, 0, 0, 0, 0);
    while (all.requests() < 2 * KEYS) {
      Driver driver = new Driver(server.port(), "/" + application + "/", KEYS, 1, 200);
      Driver.Outcome next = driver.run();
      all =
          new Driver.Outcome(
              all.requests() + next.requests(), all.failures() + next.failures(), 0, 0, 0);
    }
    return all;
  }
}

package dev.weir.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.bench.http.Application.Kind;
import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.Numbers;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebServerTest {

  private static final int KEYS = 10;

  /** Allows one key of ten, and has no bucket. */
  public static final class OneInTen extends KeyFilter {

    private static final long serialVersionUID = 1L;

    /** Created by the container. */
    public OneInTen() {}

    @Override
    Answer answer(String key) {
      return new Answer(key.endsWith("0"), 7, 1);
    }
  }

  /** Allows all, and says that nothing remains. */
  public static final class Open extends KeyFilter {

    private static final long serialVersionUID = 1L;

    /** Created by the container. */
    public Open() {}

    @Override
    Answer answer(String key) {
      return new Answer(true, 0, 1);
    }
  }

  private static final String YAML =
      """
      limits: { api: "%s" }
      rules: [{ name: api, match: /**, subject: "header:X-API-Key", limits: [api] }]
      """;

  private final WebServer server = new WebServer();
  private final Build build = server.closing(Build.current());

  @AfterEach
  void stop() {
    server.close();
  }

  private void weir(String name, String limit) throws IOException {
    server.weir(name, YAML.formatted(limit), build);
  }

  @Test
  void the_driver_counts_what_is_answered_and_what_is_denied() throws Exception {
    server.unlimited("unlimited");
    weir("weir", "1 per hour");
    server.filter("made", build, OneInTen.class, KeyFilter.parameters(Numbers.SCARCE));
    server.start();

    assertThat(run("unlimited", 200).failures()).isZero();
    Driver.Outcome limited = run("weir", 200);
    // answers to requests in flight when a run ends are not read
    assertThat(limited.requests() - limited.failures()).isBetween(1L, (long) KEYS);
    Driver.Outcome made = run("made", 200);
    assertThat(made.failures()).isBetween(made.requests() / 2, made.requests() - 1);
  }

  /** Each denial has a body, and the next answer begins behind it. */
  @Test
  void where_denials_are_expected_each_other_answer_fails() throws Exception {
    weir("weir", "1 per hour");
    server.start();

    assertThat(run("weir", 429).failures()).isBetween(1L, (long) KEYS);
    assertThat(run("weir", 429).failures()).isZero();
  }

  @Test
  void a_filter_must_grant_one_permit_and_deny_the_next() throws Exception {
    server.unlimited("unlimited");
    weir("weir", "1 per hour");
    weir("roomy", "2 per hour");
    server.filter("open", build, Open.class, KeyFilter.parameters(Numbers.SCARCE));
    server.filter("made", build, OneInTen.class, KeyFilter.parameters(Numbers.SCARCE));
    server.start();

    assertThatCode(() -> check("unlimited", Kind.UNLIMITED)).doesNotThrowAnyException();
    assertThatCode(() -> check("weir", Kind.IN_PROCESS)).doesNotThrowAnyException();
    assertThatIllegalStateException()
        .isThrownBy(() -> check("unlimited", Kind.IN_REDIS))
        .withMessage("unlimited: field RateLimit (expected: in each response)");
    assertThatIllegalStateException()
        .isThrownBy(() -> check("roomy", Kind.IN_REDIS))
        .withMessageMatching("roomy: RateLimit: \"api\";r=1;t=\\d+ \\(expected: r=0;\\)");
    assertThatIllegalStateException()
        .isThrownBy(() -> check("open", Kind.IN_REDIS))
        .withMessage("open: status 200 (expected: 429)");
    assertThatIllegalStateException()
        .isThrownBy(() -> check("made", Kind.IN_REDIS))
        .withMessage("made: status 429 (expected: 200)");
  }

  private void check(String name, Kind kind) throws Exception {
    FilterCheck.check(server, name, kind);
  }

  /** As in an outage that lasts, where no event tells of it any more. */
  @Test
  void a_decision_of_another_source_than_is_usual_fails_the_round() throws Exception {
    weir("weir", "1000000 per second");
    server.start();
    DecisionSources before = DecisionSources.of("weir");
    long requests = run("weir", 200).requests();
    DecisionSources after = DecisionSources.of("weir");

    assertThatCode(() -> after.requireSince(before, "weir", Set.of("local"), requests))
        .doesNotThrowAnyException();
    assertThatIllegalStateException()
        .isThrownBy(() -> after.requireSince(before, "weir", Set.of("redis"), requests))
        .withMessageMatching("weir: \\d+ decisions by local \\(expected: by \\[redis] alone\\)");
    assertThatIllegalStateException()
        .isThrownBy(() -> after.requireSince(after, "weir", Set.of("local"), 1))
        .withMessage("weir: 0 decisions (expected: at least 1, one for each request)");
    assertThatIllegalStateException()
        .isThrownBy(() -> DecisionSources.of("other"))
        .withMessage("other: 0 MBeans (expected: that of its filter)");
  }

  /** Until each key has asked, however slow the machine is. */
  private Driver.Outcome run(String application, int status) throws IOException {
    Driver.Outcome all = new Driver.Outcome(0, 0, 0, 0, 0);
    while (all.requests() < 2 * KEYS) {
      Driver driver = new Driver(server.port(), "/" + application + "/", KEYS, 1, 200, status);
      Driver.Outcome next = driver.run();
      all =
          new Driver.Outcome(
              all.requests() + next.requests(), all.failures() + next.failures(), 0, 0, 0);
    }
    return all;
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import java.nio.file.Files;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that changes into what cannot be used: nothing of it is reloaded. */
class ReloadRefusedTest extends LiveConfiguration {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rules: [{ name: all, match: /**, limits: [5 per hour] }",
        "rules: [{ name: all, match: /**, limits: [logn] }]",
        "",
        "\u0000",
        "rules: {}"
      })
  void a_broken_one_changes_nothing_and_is_reported_once(String broken) {
    try (LogCapture log = new LogCapture("dev.weir.config")) {
      file.change(broken);
      file.poller.settle();
      assertThat(passing()).isEqualTo(3);
      assertThat(problem(weir)).contains(file.path.toString()).contains("expected");
      assertThat(log.records())
          .hasSize(1)
          .extracting(LogRecord::getLevel)
          .containsOnly(Level.WARNING);
      assertThat(log.records().get(0).getMessage()).contains(problem(weir));
    }
  }

  @Test
  void all_problems_are_told_and_no_secret() {
    file.change(
        """
        redis: { uri: "redis://me:hunter2@[", secret: s3cr3t }
        rules: [{ name: all, match: /**, limits: [logn], cost: 0 }]
        """);
    assertThat(problem(weir).lines().count()).isGreaterThan(2);
    assertThat(problem(weir)).doesNotContain("hunter2").doesNotContain("s3cr3t");
  }

  @Test
  void one_that_is_mended_is_taken_up_and_the_problem_is_gone() {
    file.change("rules: {}");
    file.change(FIVE);
    assertThat(passing()).isEqualTo(5);
    assertThat(problem(weir)).isEmpty();
  }

  @Test
  void one_that_becomes_what_it_was_is_no_problem_either() {
    file.change("rules: {}");
    file.change(THREE);
    assertThat(problem(weir)).isEmpty();
  }

  @Test
  void one_that_is_gone_is_a_problem_until_it_is_back() throws Exception {
    Files.delete(file.path);
    file.poller.settle();
    assertThat(passing()).isEqualTo(3);
    assertThat(problem(weir)).contains("no file");
    file.change(THREE);
    assertThat(problem(weir)).isEmpty();
  }

  @Test
  void one_that_cannot_be_read_is_a_problem() throws Exception {
    Files.delete(file.path);
    Files.createDirectory(file.path);
    file.poller.settle();
    assertThat(passing()).isEqualTo(3);
    assertThat(problem(weir)).contains("cannot be read");
  }

  @Test
  void one_that_is_huge_is_a_problem() {
    file.change(THREE + "# a long story\n".repeat(100_000));
    assertThat(passing()).isEqualTo(3);
    assertThat(problem(weir)).contains("1 MiB");
  }

  @Test
  void one_that_is_being_written_is_left_alone_even_where_its_beginning_is_right() {
    file.write("# rules: to come\nlimits: { a: 1 per hour }\n");
    file.poller.beat();
    file.write(FIVE);
    file.poller.beat();
    assertThat(weir.rules()).hasSize(1);
    assertThat(problem(weir)).isEmpty();
    file.poller.beat();
    assertThat(passing()).isEqualTo(5);
  }

  @Test
  void one_that_is_away_for_a_moment_is_no_problem() throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.config")) {
      Files.delete(file.path);
      file.poller.beat();
      file.change(FIVE);
      assertThat(log.records()).extracting(LogRecord::getLevel).containsOnly(Level.INFO);
    }
    assertThat(passing()).isEqualTo(5);
  }

  @Test
  void one_that_never_rests_is_never_taken_up() {
    for (int i = 4; i < 20; i++) {
      file.write(yaml(i + " per hour"));
      file.poller.beat();
    }
    assertThat(passing()).isEqualTo(3);
  }

  @Test
  void one_that_does_not_change_is_not_read_anew() {
    WeirStatus.Loaded first = weir.status().loaded();
    file.poller.settle();
    assertThat(weir.status().loaded()).isSameAs(first);
    assertThat(first.source()).isEqualTo(file.path.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delays    | delays: on-thread",
        "redis     | redis: 'redis://127.0.0.1:1'",
        "listener  | listener: dev.weir.config.ReloadRefusedTest$Listening"
      })
  void what_only_a_restart_can_change_is_refused_with_all_else(String field, String setting) {
    file.change("application: shop\n" + setting + "\n" + FIVE);
    assertThat(problem(weir)).contains(": " + field + ": ").contains("a restart");
    assertThat(passing()).isEqualTo(3);
  }

  /** A listener. */
  public static final class Listening implements dev.weir.http.RuleListener {}

  @Test
  void the_name_of_the_keys_is_such_a_thing_and_a_password_too() {
    weir.close();
    String redis = "application: %s\nredis: redis://:%s@127.0.0.1:1\n" + THREE;
    file.write(redis.formatted("shop", "one"));
    weir = file.open();
    file.change(redis.formatted("shop", "one") + "nodes: 4\n");
    assertThat(problem(weir)).as("the same Redis").isEmpty();
    file.change(redis.formatted("stop", "one"));
    assertThat(problem(weir)).contains(": application: ");
    file.change(redis.formatted("shop", "two"));
    assertThat(problem(weir)).contains(": redis: ").doesNotContain("two");
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.LogCapture;
import dev.weir.http.FakeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that changes while it is in use: all of it is taken up, or nothing. */
class ReloadTest {

  private static final String THREE = yaml("3 per hour");
  private static final String FIVE = yaml("5 per hour");

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  private LiveFile file;

  @SuppressWarnings("NullAway.Init") // before each test
  private Weir weir;

  @BeforeEach
  void open() {
    file = new LiveFile(directory, THREE);
    weir = file.open();
  }

  @AfterEach
  void close() {
    weir.close();
  }

  private static String yaml(String limit) {
    return "rules: [{ name: all, match: /**, limits: [%s] }]\n".formatted(limit);
  }

  private static String problem(Weir weir) {
    return weir.status().loaded().problem().orElse("");
  }

  private int passing() {
    return Weirs.passing(weir, 10, () -> FakeRequest.get("/a"));
  }

  @Test
  void a_changed_file_is_taken_up() {
    assertThat(passing()).isEqualTo(3);
    file.change(FIVE);
    assertThat(passing()).as("what was used is used").isEqualTo(2);
  }

  @Test
  void so_is_one_that_another_has_been_renamed_over() throws Exception {
    Path next = Files.writeString(directory.resolve("next"), FIVE);
    Files.setLastModifiedTime(next, Files.getLastModifiedTime(file.path));
    Files.move(next, file.path, StandardCopyOption.ATOMIC_MOVE);
    file.pulse.settle();
    assertThat(passing()).isEqualTo(5);
  }

  @Test
  void so_is_one_behind_a_link_that_points_elsewhere_now() throws Exception {
    weir.close();
    Files.move(file.path, directory.resolve("one.yaml"));
    Path other = Files.writeString(directory.resolve("two.yaml"), FIVE);
    Files.createSymbolicLink(file.path, directory.resolve("one.yaml"));
    weir = file.open();
    Path swapped = Files.createSymbolicLink(directory.resolve("swap"), other);
    Files.move(swapped, file.path, StandardCopyOption.ATOMIC_MOVE);
    file.pulse.settle();
    assertThat(passing()).isEqualTo(5);
  }

  @Test
  void everything_that_requests_are_decided_by_may_change() {
    file.change(
        """
        client-address: { trusted-proxies: [192.0.2.1] }
        responses: { legacy-headers: true }
        paths: { ignore-case: true }
        limits: { one: 1 per hour }
        rules: [{ name: other, match: /b, limits: one }]
        """);
    assertThat(weir.rules()).extracting(Object::toString).containsExactly("other");
    assertThat(passing()).as("no rule for it any longer").isEqualTo(10);
    FakeRequest one = FakeRequest.get("/B").header("X-Forwarded-For", "198.51.100.1");
    FakeRequest other = FakeRequest.get("/B").header("X-Forwarded-For", "198.51.100.2");
    assertThat(Weirs.passes(weir, one)).isTrue();
    assertThat(Weirs.passes(weir, other)).as("another client").isTrue();
    assertThat(weir.limiter().limit(one.again()).fields())
        .anyMatch(field -> field.name().equals("X-RateLimit-Limit"));
  }

  @Test
  void the_functions_that_adapters_keep_follow() {
    var kept = weir.limiters();
    file.change(yaml("1 per hour"));
    FakeRequest request = FakeRequest.get("/a");
    assertThat(kept.apply(request)).isSameAs(weir.limiter());
  }

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
      file.pulse.settle();
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
    file.pulse.settle();
    assertThat(passing()).isEqualTo(3);
    assertThat(problem(weir)).contains("no file");
    file.change(THREE);
    assertThat(problem(weir)).isEmpty();
  }

  @Test
  void one_that_cannot_be_read_is_a_problem() throws Exception {
    Files.delete(file.path);
    Files.createDirectory(file.path);
    file.pulse.settle();
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
    file.pulse.beat();
    file.write(FIVE);
    file.pulse.beat();
    assertThat(weir.rules()).hasSize(1);
    assertThat(problem(weir)).isEmpty();
    file.pulse.beat();
    assertThat(passing()).isEqualTo(5);
  }

  @Test
  void one_that_is_away_for_a_moment_is_no_problem() throws Exception {
    try (LogCapture log = new LogCapture("dev.weir.config")) {
      Files.delete(file.path);
      file.pulse.beat();
      file.change(FIVE);
      assertThat(log.records()).extracting(LogRecord::getLevel).containsOnly(Level.INFO);
    }
    assertThat(passing()).isEqualTo(5);
  }

  @Test
  void one_that_never_rests_is_never_taken_up() {
    for (int i = 4; i < 20; i++) {
      file.write(yaml(i + " per hour"));
      file.pulse.beat();
    }
    assertThat(passing()).isEqualTo(3);
  }

  @Test
  void one_that_does_not_change_is_not_read_anew() {
    WeirStatus.Loaded first = weir.status().loaded();
    file.pulse.settle();
    assertThat(weir.status().loaded()).isSameAs(first);
    assertThat(first.source()).isEqualTo(file.path.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis     | redis: 'redis://127.0.0.1:1'",
        "listener  | listener: dev.weir.config.ReloadTest$Listening"
      })
  void what_only_a_restart_can_change_is_refused_with_all_else(String field, String setting) {
    file.change("application: shop\n" + setting + "\n" + FIVE);
    assertThat(problem(weir)).contains(": " + field + ": ").contains("a restart");
    assertThat(passing()).isEqualTo(3);
  }

  /** A listener. */
  public static final class Listening implements dev.weir.LimiterListener {}

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

  @Test
  void reload_off_leaves_the_file_alone_until_somebody_asks() {
    file.change("reload: off\n" + THREE);
    assertThat(file.pulse.isBeating()).isFalse();
    file.change(FIVE);
    assertThat(passing()).isEqualTo(3);
    weir.reload();
    assertThat(passing()).isEqualTo(2);
    assertThat(file.pulse.isBeating()).as("the new file does not say off").isTrue();
  }

  @Test
  void who_asks_is_told_what_is_wrong() {
    file.write("rules: [{ name: all, match: /**, limits: [5 per hour], cot: 1 }]");
    Problem problem = Complaints.only(weir::reload);
    assertThat(problem.suggestion()).contains("cost");
    assertThat(problem(weir)).isEqualTo(problem.toString());
    assertThat(passing()).isEqualTo(3);
    file.change(THREE);
    assertThat(problem(weir)).as("though it was seen by who asked alone").isEmpty();
  }

  @Test
  void what_is_no_file_cannot_be_read_again() {
    try (Weir resource = Weir.open(Weirs.webInf(THREE, Weirs.application()));
        Weir text = Weir.of(THREE)) {
      for (Weir other : List.of(resource, text)) {
        assertThat(Complaints.only(other::reload).found()).contains("no file of the file system");
        assertThat(Weirs.passes(other, FakeRequest.get("/a"))).isTrue();
      }
    }
  }

  @Test
  void who_opens_the_file_after_it_has_changed_shares_the_same() {
    file.change(FIVE);
    try (Weir late = file.open()) {
      assertThat(late.limiter()).isSameAs(weir.limiter());
    }
    file.write(THREE);
    try (Weir early = file.open()) {
      file.pulse.settle();
      assertThat(early.limiter()).isSameAs(weir.limiter());
    }
  }

  @Test
  void the_last_to_close_ends_the_watch() {
    Weir other = file.open();
    weir.close();
    assertThat(file.pulse.isBeating()).isTrue();
    other.close();
    assertThat(file.pulse.isBeating()).isFalse();
    assertThatThrownBy(weir::reload).isInstanceOf(IllegalStateException.class);
    assertThat(file.registry.first(file.application)).isEmpty();
  }

  @Test
  void the_thread_that_watches_survives_what_fails_and_ends_with_the_watch() {
    BlockingQueue<Thread> beats = new LinkedBlockingQueue<>();
    Runnable stop =
        Pulse.EVERY_SECOND.start(
            () -> {
              beats.add(Thread.currentThread());
              throw new AssertionError("a failure");
            });
    await().atMost(Duration.ofSeconds(20)).until(() -> beats.size() >= 2);
    assertThat(beats).allMatch(Thread::isDaemon);
    stop.run();
    await().until(() -> beats.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void the_number_of_nodes_follows() {
    file.change("nodes: 2\n" + yaml("8 per hour window"));
    assertThat(passing()).as("one of two nodes").isEqualTo(4);
    file.change("nodes: 1\n" + yaml("8 per hour window"));
    assertThat(passing()).isEqualTo(4);
  }

  @Test
  void so_does_what_a_request_costs_at_most() {
    file.change("nodes: 8\n" + yaml("8 per hour window"));
    assertThat(passing()).isEqualTo(1);
    file.change(
        """
        nodes: 8
        rules: [{ name: dear, match: /**, limits: [8 per hour window], cost: 8 }]
        """);
    assertThat(passing()).as("no share is smaller than the dearest request").isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 1000, 1000", "1000, 1, 1"})
  void so_does_the_number_of_counters(int before, int after, int toldApart) {
    String counters = "max-counters: %d\n" + yaml("1 per hour window");
    weir.close();
    file.write(counters.formatted(before));
    weir = file.open();
    file.change(counters.formatted(after));
    int passed = 0;
    for (int i = 0; i < 1000; i++) {
      FakeRequest request = FakeRequest.get("/a").from("10.0.%d.%d".formatted(i / 250, i % 250));
      passed += Weirs.passes(weir, request) ? 1 : 0;
    }
    assertThat(passed).isBetween(toldApart, toldApart + 1);
  }
}

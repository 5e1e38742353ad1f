package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.http.FakeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file that changes while it is in use is reloaded, all of it. */
class ReloadTest extends LiveConfiguration {

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
    file.poller.settle();
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
    file.poller.settle();
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

  @Test
  void reload_off_leaves_the_file_alone_until_somebody_asks() {
    file.change("reload: off\n" + THREE);
    assertThat(file.poller.isBeating()).isFalse();
    file.change(FIVE);
    assertThat(passing()).isEqualTo(3);
    weir.reload();
    assertThat(passing()).isEqualTo(2);
    assertThat(file.poller.isBeating()).as("the new file does not say off").isTrue();
  }

  @Test
  void who_asks_is_told_what_is_wrong() {
    file.write("rules: [{ name: all, match: /**, limits: [5 per hour], cot: 1 }]");
    Problem problem = Complaints.only(weir::reload);
    assertThat(problem.suggestion()).contains("cost");
    assertThat(problem(weir)).isEqualTo(problem.toString());
    assertThat(passing()).isEqualTo(3);
    file.change(THREE);
    assertThat(problem(weir)).as("though it was seen by the caller alone").isEmpty();
  }

  @Test
  void what_is_no_file_cannot_be_read_again() {
    try (Weir resource = Weir.open(Weirs.webInf(THREE, Weirs.application()));
        Weir text = Weir.of(THREE)) {
      for (Weir other : List.of(resource, text)) {
        assertThat(Complaints.only(other::reload).found()).contains("inside the application");
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
      file.poller.settle();
      assertThat(early.limiter()).isSameAs(weir.limiter());
    }
  }

  @Test
  void the_last_to_close_ends_the_watch() {
    Weir other = file.open();
    weir.close();
    assertThat(file.poller.isBeating()).isTrue();
    other.close();
    assertThat(file.poller.isBeating()).isFalse();
    assertThatThrownBy(weir::reload).isInstanceOf(IllegalStateException.class);
    assertThat(file.registry.first(file.application)).isEmpty();
  }

  @Test
  void the_watch_survives_what_fails(@TempDir Path directory) {
    LiveFile broken =
        new LiveFile(directory, THREE, FakeVariables.failing(new AssertionError("a failure")));
    try (Weir watched = broken.open()) {
      broken.change(yaml("${BROKEN}"));
      broken.change(FIVE);
      assertThat(Weirs.passing(watched, 10, () -> FakeRequest.get("/a"))).isEqualTo(5);
    }
  }

  @Test
  void the_thread_that_watches_ends_with_the_watch() {
    Registry registry = new Registry(FakeVariables.EMPTY);
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    List<Thread> watching;
    try (Weir watched =
        registry.open(
            Weirs.initParams(Weirs.application(), Map.of("config", file.path.toString())))) {
      assertThat(watched.rules()).hasSize(1);
      watching =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> !before.contains(thread))
              .filter(thread -> thread.getName().startsWith("weir-config"))
              .toList();
      assertThat(watching).hasSize(1).allMatch(Thread::isDaemon);
    }
    await().until(() -> watching.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void the_number_of_nodes_follows() {
    file.change("nodes: 2\n" + yaml("8 per hour window"));
    assertThat(passing()).as("one of two nodes").isEqualTo(4);
    file.change("nodes: 1\n" + yaml("8 per hour window"));
    assertThat(passing()).isEqualTo(4);
  }

  @Test
  void a_request_that_costs_more_than_the_share_passes_and_is_owed() {
    file.change("nodes: 8\n" + yaml("8 per hour window"));
    assertThat(passing()).isEqualTo(1);
    file.change(
        """
        nodes: 8
        rules: [{ name: dear, match: /**, limits: [8 per hour window], cost: 8 }]
        """);
    assertThat(passing()).as("of a share of 1").isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 1000, 1000", "1000, 1, 1"})
  void so_does_the_number_of_counters(int before, int after, int countedApart) {
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
    assertThat(passed).isBetween(countedApart, countedApart + 1);
  }
}

package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.internal.read.Settings;
import dev.weir.fixture.LogCapture;
import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.http.FakeRequest;
import dev.weir.http.Rule;
import dev.weir.internal.store.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A first roll-out: with {@code shadow: on}, rules only observe, and nobody forgets it. */
class ShadowModeTest {

  private static final String RULES =
      """
      shadow: %s
      limits: { few: 1 per hour }
      rules:
        - { name: login, match: /login, limits: few }
        - { name: slow, match: /slow, limits: 1 per minute, on-denial: delay up to 5s }
        - { name: closed, match: /closed, deny: [192.0.2.0/24], limits: 9 per hour }
      """;

  private final Path directory;
  private final ManualTime time = new ManualTime();
  private final Scheduler files = new ManualScheduler(time);
  private final ManualScheduler hours = new ManualScheduler(time);
  private final Iterator<Scheduler> schedulers = List.of(files, hours).iterator();
  private final Registry registry = new Registry(FakeVariables.EMPTY, schedulers::next);
  private final LogCapture log = new LogCapture("dev.weir.config");

  ShadowModeTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @AfterEach
  void close() {
    log.close();
  }

  private Weir open(String shadow) throws IOException {
    Path file = write(shadow);
    return registry.open(Weirs.initParams(Weirs.application(), Map.of("config", file.toString())));
  }

  private Path write(String shadow) throws IOException {
    return Files.writeString(directory.resolve("weir.yaml"), RULES.formatted(shadow));
  }

  private List<String> warnings() {
    return log.records().stream()
        .map(record -> record.getMessage().replaceFirst(".*weir.yaml: ", ""))
        .filter(line -> line.startsWith("'shadow' is on"))
        .toList();
  }

  private static String warning(int requests) {
    return "'shadow' is on, so rules only observe and no request is denied. They would have denied "
        + requests
        + " requests since the start. Set 'shadow: off' once these are the right ones";
  }

  @Test
  void every_request_passes_and_a_warning_says_so_at_the_start_and_each_hour() throws IOException {
    try (Weir weir = open("on")) {
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/login"))).isEqualTo(5);
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/slow"))).isEqualTo(3);
      assertThat(Weirs.passing(weir, 2, () -> FakeRequest.get("/closed"))).isEqualTo(2);
      assertThat(weir.status().areShadows()).isTrue();
      assertThat(warnings()).containsExactly(warning(0));
      hours.advance(Duration.ofHours(1));
      assertThat(warnings()).containsExactly(warning(0), warning(4 + 2 + 2));
      hours.advance(Duration.ofHours(2));
      assertThat(warnings()).hasSize(4);
    }
    assertThat(hours.waiting()).as("after the close").isZero();
  }

  @Test
  void a_reload_ends_the_trial_and_what_was_counted_counts() throws IOException {
    try (Weir weir = open("on")) {
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/login"))).isEqualTo(5);
      write("off");
      weir.reload();
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/login"))).isZero();
      assertThat(weir.status().areShadows()).isFalse();
      assertThat(hours.waiting()).isZero();
    }
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void a_reload_begins_it_too() throws IOException {
    try (Weir weir = open("off")) {
      assertThat(warnings()).isEmpty();
      write("on");
      weir.reload();
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/login"))).isEqualTo(5);
      assertThat(warnings()).containsExactly(warning(0));
    }
  }

  @Test
  void rules_of_annotations_and_of_init_params_only_observe_too() throws IOException {
    try (Weir weir = open("on")) {
      RuleReference reference = RuleReference.of("Orders.list", "few");
      List<Rule> bound = Weirs.bound(weir, reference);
      assertThat(bound).singleElement().matches(Rule::isShadow);
      assertThat(bound).isSameAs(weir.rules(reference));
    }
    Settings params = Weirs.settings(Map.of("limit", "1 per hour", "shadow", "on"));
    assertThat(params.rules().enabled()).singleElement().matches(Rule::isShadow);
  }

  @Test
  void a_configuration_must_be_valid_without_the_trial_too() {
    assertThatThrownBy(
            () ->
                Weirs.settings(
                    """
                    shadow: on
                    limits: { few: 1 per hour }
                    rules:
                      - { name: a, match: /a, limits: few }
                      - { name: b, match: /b, limits: few, on-denial: shadow }
                    """))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("a limit of its own");
  }

  @Test
  void code_may_try_its_rules_too() {
    Rule few = Rule.builder("few").match("/**").limit("1 per hour").build();
    try (Weir weir = Weir.builder().rule(few).shadow().start()) {
      assertThat(Weirs.passing(weir, 5, () -> FakeRequest.get("/"))).isEqualTo(5);
    }
  }
}

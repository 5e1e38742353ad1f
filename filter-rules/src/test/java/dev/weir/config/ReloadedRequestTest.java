package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.Race;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts;
import dev.weir.http.Rule;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reload while a request is under way, and what annotations need of it. */
class ReloadedRequestTest {

  private static final String YAML =
      """
      limits: { login: 9 per hour, daily: 9 per day }
      rules:
        - { name: all, match: /**, limits: login }
        - { name: users, match: /**, subject: principal, limits: [9 per hour] }
      """;

  private static final int RELOADS = 100;

  private static final RuleReference ALL = RuleReference.of("A.all", "all");
  private static final RuleReference DAILY = RuleReference.of("A.daily", "daily");

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  private static void pass(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Passed.class);
  }

  private static long decisions(Weir weir, String rule) {
    return weir.status().decisions().stream()
        .filter(decisions -> decisions.rule().equals(rule))
        .mapToLong(RequestCounts.Decisions::count)
        .sum();
  }

  @Test
  void a_request_is_charged_once_whatever_happens_between_its_dispatches() {
    LiveFile file = new LiveFile(directory, YAML);
    try (Weir weir = file.open()) {
      weir.bind(ALL);
      FakeRequest request = FakeRequest.get("/a");
      pass(weir.limiters().apply(request).limit(request));
      file.change(YAML.replace("9 per hour", "8 per hour"));
      pass(weir.limiters().apply(request).limit(request));
      pass(weir.limiters().apply(request).limit(request, weir.rules(ALL, request)));
      assertThat(decisions(weir, "all")).isEqualTo(1);
      FakeRequest next = request.again();
      assertThat(weir.rules(ALL, next))
          .isEqualTo(weir.rules(ALL))
          .isNotEqualTo(weir.rules(ALL, request));
    }
  }

  @Test
  void what_waits_for_a_user_is_decided_once_that_is_known() {
    LiveFile file = new LiveFile(directory, YAML);
    try (Weir weir = file.open()) {
      FakeRequest request = FakeRequest.get("/a");
      pass(weir.limiters().apply(request).limitBeforeAuthentication(request));
      file.change(YAML.replace("9 per hour", "8 per hour"));
      request.principal("alice");
      pass(weir.limiters().apply(request).limitAfterAuthentication(request));
      assertThat(decisions(weir, "users")).isEqualTo(1);
    }
  }

  /** Whoever asks for the status holds up the reload while it replaces one thing after another. */
  @Test
  void a_new_limit_has_its_share_from_the_first_request() throws Exception {
    LiveFile file = new LiveFile(directory, costly(0));
    try (Weir weir = file.open()) {
      AtomicReference<RequestLimiter> current = new AtomicReference<>(weir.limiter());
      AtomicBoolean isOver = new AtomicBoolean();
      Race.run(
          thread -> {
            switch (thread) {
              case 0 -> reload(file, weir, current, isOver);
              case 1 -> requestEachOnce(weir, current, isOver);
              default -> until(isOver, weir::status);
            }
          });
    }
  }

  private static void reload(
      LiveFile file, Weir weir, AtomicReference<RequestLimiter> current, AtomicBoolean isOver) {
    for (int number = 1; number <= RELOADS && !isOver.get(); number++) {
      file.write(costly(number));
      weir.reload();
      while (current.get() != weir.limiter() && !isOver.get()) {
        Thread.onSpinWait();
      }
    }
    isOver.set(true);
  }

  private static void requestEachOnce(
      Weir weir, AtomicReference<RequestLimiter> current, AtomicBoolean isOver) {
    try {
      until(
          isOver,
          () -> {
            RequestLimiter now = weir.limiter();
            if (current.get() != now) {
              pass(now.limit(FakeRequest.get("/a")));
              current.set(now);
            }
          });
    } finally {
      isOver.set(true);
    }
  }

  private static void until(AtomicBoolean isOver, Runnable action) {
    while (!isOver.get()) {
      action.run();
    }
  }

  private static String costly(int number) {
    return """
        nodes: 4
        limits: { limit-%1$d: 10 per day }
        rules: [{ name: costly, match: /**, limits: limit-%1$d, cost: 5 }]
        """
        .formatted(number);
  }

  @Test
  void two_Weirs_that_see_one_request_keep_to_a_configuration_each() {
    LiveFile one = new LiveFile(directory, YAML);
    LiveFile other = new LiveFile(directory, YAML);
    try (Weir first = one.open();
        Weir second = other.open()) {
      FakeRequest request = FakeRequest.get("/a");
      RequestLimiter firsts = first.limiters().apply(request);
      RequestLimiter seconds = second.limiters().apply(request);
      assertThat(firsts).isNotSameAs(seconds);
      one.change(YAML.replace("9", "8"));
      assertThat(first.limiters().apply(request)).isSameAs(firsts);
      assertThat(second.limiters().apply(request)).isSameAs(seconds);
    }
  }

  @Test
  void a_name_that_an_annotation_needs_cannot_go() {
    LiveFile file = new LiveFile(directory, YAML);
    try (Weir weir = file.open()) {
      weir.bind(ALL);
      weir.bind(DAILY);
      List<Rule> before = weir.rules();
      file.change("limits: { dialy: 1 per day }\nrules: [{ name: al, match: /**, limits: dialy }]");
      assertThat(weir.status().loaded().problem().orElse(""))
          .contains("A.all")
          .contains("A.daily")
          .contains("did you mean 'dialy'");
      assertThat(weir.rules()).isEqualTo(before);
      assertThat(weir.rules(ALL)).hasSize(1);
      assertThat(weir.rules(DAILY)).hasSize(1);
    }
  }

  @Test
  void numbers_that_an_annotation_names_are_taken_up() {
    LiveFile file = new LiveFile(directory, YAML);
    try (Weir weir = file.open()) {
      weir.bind(DAILY);
      file.change(YAML.replace("daily: 9 per day", "daily: 1 per day"));
      FakeRequest one = FakeRequest.get("/a");
      FakeRequest two = FakeRequest.get("/a");
      pass(weir.limiters().apply(one).limit(one, weir.rules(DAILY, one)));
      assertThat(weir.limiters().apply(two).limit(two, weir.rules(DAILY, two)))
          .isInstanceOf(Outcome.Rejected.class);
    }
  }

  @Test
  void what_is_bound_after_a_reload_decides_a_request_from_before_it() {
    LiveFile file = new LiveFile(directory, "limits: { a: 1 per day }");
    try (Weir weir = file.open()) {
      FakeRequest request = FakeRequest.get("/a");
      pass(weir.limiters().apply(request).limit(request));
      file.change("limits: { a: 1 per day, late: 1 per day }");
      RuleReference late = RuleReference.of("A.late", "late");
      weir.bind(late);
      assertThat(weir.rules(late, request)).hasSize(1);
      pass(weir.limiters().apply(request).limit(request, weir.rules(late, request)));
    }
  }

  @Test
  void a_rule_of_an_annotation_cannot_begin_to_count_users() {
    LiveFile file = new LiveFile(directory, YAML);
    try (Weir weir = file.open()) {
      weir.bind(ALL);
      weir.bind(RuleReference.of("A.users", "users"));
      file.change(YAML.replace("limits: login", "limits: login, subject: principal"));
      assertThat(weir.status().loaded().problem().orElse("")).contains("'all' at A.all, by user");
      file.change(YAML.replace("subject: principal", "subject: ip"));
      assertThat(weir.status().loaded().problem()).isEmpty();
    }
  }

  @Test
  void an_adapter_may_refuse_rules_that_it_cannot_obey() {
    LiveFile file =
        new LiveFile(directory, "rules: [{ name: a, match: /a, subject: global, limits: [1/s] }]");
    try (Weir weir = file.open()) {
      try (Weir adapter = file.open()) {
        adapter.require(ReloadedRequestTest::refuseAddresses);
        file.change("rules: [{ name: b, match: /a, subject: ip, limits: [1/s] }]");
        assertThat(weir.status().loaded().problem().orElse("")).contains("b counts by address");
        assertThat(weir.rules()).extracting(Rule::name).containsExactly("a");
      }
      weir.reload();
      assertThat(weir.rules()).as("nobody minds now").extracting(Rule::name).containsExactly("b");
      assertThatThrownBy(() -> weir.require(ReloadedRequestTest::refuseAddresses))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  private static void refuseAddresses(Rule rule) {
    if (rule.subject().needsAddress()) {
      throw new IllegalStateException(rule.name() + " counts by address");
    }
  }
}

package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.FakeRequest;
import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher;
import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Outcome;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a file says how many requests a node takes at once, and what of it a reload changes. */
class OverloadTest {

  private static final String RULES =
      """
      limits: { plenty: 1000 per second }
      rules:
        - { name: checkout, match: /checkout, limits: [plenty] }
        - { name: login, match: /login, limits: [plenty] }
        - { name: off, match: /off, limits: [plenty], enabled: false }
        - { name: bound, match: annotations, limits: [plenty] }
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init") // by JUnit
  private Path directory;

  @Test
  void numbers_exceptions_and_shares_are_read() {
    Overload overload =
        overload(
            """
            overload:
              in-flight: { start: 30, from: 10, to: 500 }
              except: [/health, GET /events/**]
              reserved: { checkout: 20%, login: 5 %, off: 70% }
            """);
    assertThat(overload.start()).isEqualTo(30);
    assertThat(overload.from()).isEqualTo(10);
    assertThat(overload.to()).isEqualTo(500);
    assertThat(overload.shed()).hasToString("/** except /health, GET /events/**");
    assertThat(overload.reserved())
        .as("a rule that is switched off keeps no room")
        .isEqualTo(Map.of("checkout", 20, "login", 5));
  }

  @Test
  void what_is_not_said_is_as_usual() {
    assertNumbers(overload("overload: {}\n"), 20, 5, 200);
    assertNumbers(overload("overload: { in-flight: { to: 10 } }\n"), 10, 5, 10);
    assertNumbers(overload("overload: { in-flight: { to: 3 } }\n"), 3, 3, 3);
    assertNumbers(overload("overload: { in-flight: { from: 300 } }\n"), 300, 300, 300);
    assertThat(Weirs.settings(RULES, FakeVariables.EMPTY).requests().overload()).isEmpty();
  }

  private static void assertNumbers(Overload overload, int start, int from, int to) {
    assertThat(List.of(overload.start(), overload.from(), overload.to()))
        .containsExactly(start, from, to);
  }

  @ParameterizedTest
  @MethodSource
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> is_refused() {
    return Stream.of(
        with("»20", "overload", "'20'", "a map with in-flight, except and reserved"),
        with("{ »in-fligth: {} }", "overload.in-fligth", "'in-fligth'", "one of in-flight, except")
            .suggests("in-flight"),
        with("{ in-flight: »20 }", "overload.in-flight", "'20'", "start: 20, from: 5, to: 200"),
        with("{ in-flight: { from: »0 } }", "overload.in-flight.from", "'0'", "from 1 to 100000"),
        with("{ in-flight: { to: »1e3 } }", "overload.in-flight.to", "'1e3'", "a whole number"),
        with("»{ in-flight: { from: 9, to: 8 } }", "overload", "to 8", "at least 9"),
        with("»{ in-flight: { from: 9, start: 8 } }", "overload", "start 8", "from 9 to 200"),
        with("{ except: [»health] }", "overload.except[0]", "'health'", "a path that starts with"),
        with("{ reserved: »20% }", "overload.reserved", "'20%'", "shares by rule"),
        with(
                "{ reserved: { checkuot: »20% } }",
                "overload.reserved.checkuot", share("checkuot"), "match")
            .suggests("checkout"),
        with(
            "{ reserved: { bound: »20% } }",
            "overload.reserved.bound", share("bound"), "has a match"),
        with("{ reserved: { login: »20 } }", "overload.reserved.login", "'20'", "such as 20%"),
        with("{ reserved: { login: »1.5% } }", "overload.reserved.login", "'1.5%'", "such as 20%"),
        with(
            "»{ reserved: { login: 100% } }",
            "overload", "reserved 100% for 'login'", "from 1% to 99%"),
        with(
            "»{ reserved: { login: 60%, checkout: 40% } }",
            "overload", "reserved 5 of 5 requests", "fewer"));
  }

  private static String share(String rule) {
    return "a share of rule '" + rule + "'";
  }

  private static BadCase with(String overload, String field, String found, String expected) {
    return bad(RULES + "overload: " + overload + "\n", field, found, expected);
  }

  @Test
  void a_reload_changes_numbers_and_loses_nobody() throws Exception {
    LiveFile file = new LiveFile(directory, RULES + overload(2, 2));
    try (Weir weir = file.open()) {
      List<Completion> running = enter(weir, 5);
      assertThat(running).hasSize(2);
      file.change(RULES + overload(3, 3));
      running.addAll(enter(weir, 5));
      assertThat(running).hasSize(3);
      file.change(RULES);
      assertThat(weir.status().overload()).isEmpty();
      assertThat(passes(weir, FakeRequest.get("/other"))).isTrue();
      file.change(RULES + overload(4, 4));
      assertThat(weir.status().overload()).contains(new RuleLimiter.InFlight(3, 4, 7, 0));
      running.forEach(completion -> completion.completed(200));
      assertThat(weir.status().overload()).contains(new RuleLimiter.InFlight(0, 4, 7, 0));
      assertThat(enter(weir, 9)).hasSize(4);
    }
  }

  @Test
  void code_says_it_too_and_a_listener_hears_of_what_is_shed() {
    AtomicInteger received = new AtomicInteger();
    RuleListener listener =
        new RuleListener() {
          @Override
          public void onShed() {
            received.incrementAndGet();
          }
        };
    Overload one = new Overload(1, 1, 1, RequestMatcher.of("/**"), Map.of());
    try (Weir weir = Weir.builder().overload(one).listener(listener).start()) {
      assertThat(enter(weir, 5)).hasSize(1);
      assertThat(received).hasValue(4);
    }
  }

  @Test
  void JMX_shows_how_many_there_are() throws Exception {
    LiveFile file = new LiveFile(directory, RULES + overload(2, 2));
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try (Weir weir = file.open()) {
      ObjectName name = new ObjectName("dev.weir:type=Weir,name=\"" + file.path + "*\",*");
      WeirMXBean bean =
          JMX.newMXBeanProxy(
              server, server.queryNames(name, null).iterator().next(), WeirMXBean.class);
      List<Completion> running = enter(weir, 5);
      assertThat(bean.getInFlight()).isEqualTo(2);
      assertThat(bean.getMaxInFlight()).isEqualTo(2);
      assertThat(bean.getShed()).isEqualTo(3);
      running.forEach(Completion::failed);
      assertThat(bean.getInFlight()).isZero();
    }
  }

  private static Overload overload(String text) {
    return Weirs.settings(RULES + text, FakeVariables.EMPTY).requests().overload().orElseThrow();
  }

  private static String overload(int from, int to) {
    return "overload: { in-flight: { from: %d, to: %d } }\n".formatted(from, to);
  }

  private static List<Completion> enter(Weir weir, int times) {
    List<Completion> running = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      FakeRequest request = FakeRequest.get("/other");
      weir.limiters().apply(request).limit(request).completion().ifPresent(running::add);
    }
    return running;
  }

  private static boolean passes(Weir weir, FakeRequest request) {
    return weir.limiters().apply(request).limit(request) instanceof Outcome.Passed;
  }
}

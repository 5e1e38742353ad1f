package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.Documents;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What JMX shows of a Weir, and for how long. */
class ManagementTest {

  private static final String YAML =
      """
      application: managed
      redis: { uri: "redis://me:hunter2@127.0.0.1:1", secret: s3cr3t-of-all-keys }
      rules: [{ name: all, match: /**, subject: header:X-API-Key, limits: [2 per hour] }]
      """;

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  private Path directory;

  private Set<ObjectName> names(Path file) throws Exception {
    String pattern = "dev.weir:type=Weir,name=\"" + file + "*\",*";
    return server.queryNames(new ObjectName(pattern), null);
  }

  private static ObjectName only(Set<ObjectName> names) {
    assertThat(names).hasSize(1);
    return names.iterator().next();
  }

  @Test
  void it_shows_how_a_Weir_stands_as_long_as_that_is_used() throws Exception {
    LiveFile file = new LiveFile(directory, YAML);
    Weir weir = file.open();
    Weir other = file.open();
    ObjectName name = only(names(file.path));
    assertThat(name.getKeyProperty("application")).isEqualTo("\"managed\"");
    WeirMXBean bean = JMX.newMXBeanProxy(server, name, WeirMXBean.class);
    assertThat(bean.getDenied()).containsEntry("all", 0L).hasSize(1);
    Weirs.passing(weir, 5, () -> FakeRequest.get("/a").header("X-API-Key", "k3y"));
    assertThat(bean.getRequests()).containsEntry("allowed", 2L).containsEntry("denied", 3L);
    assertThat(bean.getDenials()).isEqualTo(Map.of("all", Map.of("all exhausted", 3L)));
    assertThat(bean.getTopDenied().get("all")).singleElement().asString().endsWith(" 3 ±0");
    assertThat(bean.getAllowed()).containsEntry("all", 2L);
    assertThat(bean.getDenied()).containsEntry("all", 3L);
    assertThat(bean.getRules()).containsExactly("all");
    assertThat(bean.getStore()).isEqualTo("LOCAL");
    assertThat(bean.getStoreProblem()).contains("127.0.0.1:1: ").contains("refused");
    assertThat(bean.getNode()).isEqualTo(weir.status().node());
    assertThat(bean.getLiveNodes()).isEqualTo(weir.status().liveNodes());
    assertThat(bean.getSource()).isEqualTo(file.path.toString());
    assertThat(bean.getLoadedAt()).isEqualTo(Date.from(weir.status().loaded().at()));
    weir.close();
    assertThat(names(file.path)).containsExactly(name);
    other.close();
    assertThat(names(file.path)).isEmpty();
  }

  @Test
  void it_shows_what_a_shadow_would_deny_until_the_rule_denies_it() throws Exception {
    String candidate =
        "rules: [{ name: all, match: /**, subject: global, limits: 1 per hour, on-denial: shadow"
            + " }]";
    LiveFile file = new LiveFile(directory, candidate);
    try (Weir weir = file.open()) {
      WeirMXBean bean = JMX.newMXBeanProxy(server, only(names(file.path)), WeirMXBean.class);
      assertThat(bean.getShadowDenied()).isEqualTo(Map.of("all", 0L));
      assertThat(Weirs.passing(weir, 4, () -> FakeRequest.get("/a"))).isEqualTo(4);
      assertThat(bean.getAllowed()).isEqualTo(Map.of("all", 1L));
      assertThat(bean.getDenied()).isEqualTo(Map.of("all", 0L));
      assertThat(bean.getShadowDenied()).isEqualTo(Map.of("all", 3L));
      file.change(candidate.replace("shadow", "reject"));
      assertThat(Weirs.passing(weir, 2, () -> FakeRequest.get("/a"))).isZero();
      assertThat(bean.getDenied()).isEqualTo(Map.of("all", 2L));
      assertThat(bean.getShadowDenied()).isEqualTo(Map.of("all", 3L));
    }
  }

  @Test
  void it_counts_who_was_let_in_after_a_wait_by_the_rule_that_delays() throws Exception {
    LiveFile file =
        new LiveFile(
            directory,
            """
            rules:
              - { name: slow, match: /slow, subject: global, limits: [1 concurrent], on-denial: delay up to 60s }
              - { name: hasty, match: /hasty, subject: global, limits: [1 per hour], on-denial: delay up to 1s }
              - { name: all, match: /**, subject: global, limits: [99 per hour] }
            """);
    try (Weir weir = file.open()) {
      WeirMXBean bean = JMX.newMXBeanProxy(server, only(names(file.path)), WeirMXBean.class);
      assertThat(bean.getDelayed()).isEqualTo(Map.of("slow", 0L, "hasty", 0L, "all", 0L));
      Weirs.passing(weir, 2, () -> FakeRequest.get("/hasty"));
      Outcome first = weir.limiter().limit(FakeRequest.get("/slow").waitingAside());
      Outcome gone = weir.limiter().limit(FakeRequest.get("/slow").waitingAside());
      ((Delayed) gone).leave();
      Outcome aside = weir.limiter().limit(FakeRequest.get("/slow").waitingAside());
      assertThat(weir.status().counts().delayed())
          .as("at once, refused, gone, and waiting")
          .isEmpty();
      end(first);
      Outcome second = ((Delayed) aside).later().toCompletableFuture().join();
      assertThat(weir.status().counts().delayed()).isEqualTo(Map.of("slow", 1L));
      CompletableFuture<Outcome> third = new CompletableFuture<>();
      Thread itself =
          new Thread(() -> third.complete(weir.limiter().limit(FakeRequest.get("/slow"))));
      itself.start();
      Awaitility.await().until(() -> itself.getState() == Thread.State.WAITING);
      end(second);
      end(third.join());
      assertThat(bean.getDelayed()).isEqualTo(Map.of("slow", 2L, "hasty", 0L, "all", 0L));
    }
  }

  private static void end(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Passed.class);
    outcome.completion().orElseThrow().completed(200);
  }

  @Test
  void it_counts_what_subjects_decide_that_have_no_counter_of_their_own() throws Exception {
    String yaml =
        "max-counters: 1\n"
            + "rules: [{ name: all, match: /**, subject: header:X-Key, limits: 9 per day }]";
    LiveFile file = new LiveFile(directory, yaml);
    try (Weir weir = file.open()) {
      WeirMXBean bean = JMX.newMXBeanProxy(server, only(names(file.path)), WeirMXBean.class);
      Weirs.passing(weir, 2, () -> FakeRequest.get("/").header("X-Key", "first"));
      assertThat(bean.getOverflowed()).isEqualTo(Map.of("all", 0L));
      Weirs.passing(weir, 3, () -> FakeRequest.get("/").header("X-Key", "second"));
      assertThat(bean.getOverflowed()).isEqualTo(Map.of("all", 3L));
    }
  }

  @Test
  void the_page_for_operators_has_every_attribute() {
    String page = Documents.text("docs/metrics.md");
    for (Method attribute : attributes()) {
      assertThat(page).contains("`" + attribute.getName().replaceFirst("^(get|is)", "") + "`");
    }
  }

  private static List<Method> attributes() {
    return Stream.of(WeirMXBean.class.getMethods())
        .filter(method -> method.getReturnType() != void.class)
        .toList();
  }

  @Test
  void a_console_shows_what_each_attribute_means() throws Exception {
    LiveFile file = new LiveFile(directory, YAML);
    try (Weir weir = file.open()) {
      MBeanInfo info = server.getMBeanInfo(only(names(file.path)));
      assertThat(info.getAttributes())
          .hasSameSizeAs(attributes())
          .allSatisfy(
              attribute ->
                  assertThat(attribute.getDescription()).contains(" ").hasSizeLessThan(100));
      assertThat(info.getOperations())
          .singleElement()
          .satisfies(reload -> assertThat(reload.getDescription()).startsWith("Reloads the file"));
      assertThat(weir.status().version()).isNotEqualTo("unknown");
    }
  }

  @Test
  void it_reloads_and_says_what_is_wrong() throws Exception {
    LiveFile file = new LiveFile(directory, "reload: off\n" + YAML);
    try (Weir weir = file.open()) {
      WeirMXBean bean = JMX.newMXBeanProxy(server, only(names(file.path)), WeirMXBean.class);
      file.write(YAML.replace("name: all", "name: other"));
      bean.reload();
      assertThat(weir.rules()).extracting(Object::toString).containsExactly("other");
      assertThat(bean.getReloadProblem()).isEmpty();
      file.write(YAML.replace("name: all", "nam: other"));
      assertThatThrownBy(bean::reload)
          .isInstanceOfAny(IllegalStateException.class, RuntimeMBeanException.class)
          .hasStackTraceContaining("did you mean 'name'");
      assertThat(bean.getReloadProblem()).contains("did you mean 'name'").doesNotContain("hunter2");
      assertThat(bean.isReloadFailing()).isTrue();
      assertThat(bean.getConfigReloads()).isEqualTo(Map.of("succeeded", 1L, "failed", 1L));
      assertThat(weir.rules()).extracting(Object::toString).containsExactly("other");
    }
  }

  @Test
  void no_attribute_holds_a_secret_or_a_subject() throws Exception {
    LiveFile file = new LiveFile(directory, YAML);
    try (Weir weir = file.open()) {
      Weirs.passing(weir, 5, () -> FakeRequest.get("/a").header("X-API-Key", "k3y-of-a-client"));
      file.change(YAML.replace("redis://", "readies://") + "rulez: 1\n");
      ObjectName name = only(names(file.path));
      StringBuilder shown = new StringBuilder(name.toString());
      for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
        shown.append(server.getAttribute(name, attribute.getName()));
      }
      assertThat(shown)
          .contains("rulez")
          .doesNotContain("hunter2")
          .doesNotContain("s3cr3t-of-keys")
          .doesNotContain("k3y-of-a-client");
    }
  }

  @Test
  void two_of_one_name_are_both_shown() throws Exception {
    LiveFile one = new LiveFile(directory, YAML);
    LiveFile other = new LiveFile(directory, YAML);
    try (Weir first = one.open();
        Weir second = other.open()) {
      assertThat(names(one.path))
          .hasSize(2)
          .anyMatch(name -> name.getKeyProperty("name").endsWith("#2\""));
      assertThat(first.status().node()).isNotEqualTo(second.status().node());
    }
    assertThat(names(one.path)).isEmpty();
  }

  @Test
  void one_that_somebody_has_taken_away_closes_all_the_same() throws Exception {
    LiveFile file = new LiveFile(directory, YAML);
    Weir weir = file.open();
    server.unregisterMBean(only(names(file.path)));
    weir.close();
    assertThat(file.registry.first(file.application)).isEmpty();
  }

  @Test
  void a_start_that_fails_shows_nothing() throws Exception {
    LiveFile file = new LiveFile(directory, "rules: {}");
    assertThat(Complaints.of(file::open)).isNotEmpty();
    assertThat(names(file.path)).isEmpty();
  }
}

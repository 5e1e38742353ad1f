package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.LogCapture;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two applications of one process, in its log, in JMX and among its threads. */
class SeparateApplicationsTest {

  private static final String YAML =
      """
      application: same
      nodes: 1
      redis: "redis://127.0.0.1:1"
      rules: [{ name: all, match: /**, subject: ip, limits: [1 per hour] }]
      """;

  @Test
  void log_lines_name_the_application() {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir shop = open("/shop");
        Weir bank = open("/bank");
        Weir root = open("")) {
      assertThat(List.of(shop, bank, root)).doesNotHaveDuplicates();
      assertThat(starts(log))
          .satisfiesExactly(
              line -> assertThat(line).startsWith("/WEB-INF/weir.yaml of /shop: rules 1,"),
              line -> assertThat(line).startsWith("/WEB-INF/weir.yaml of /bank: rules 1,"),
              line -> assertThat(line).startsWith("/WEB-INF/weir.yaml of /: rules 1,"));
    }
  }

  private static List<String> starts(LogCapture log) {
    return log.records().stream()
        .map(LogRecord::getMessage)
        .filter(line -> line.contains("rules 1"))
        .toList();
  }

  @Test
  void a_wrong_configuration_is_one_error_that_names_the_application() {
    WeirSource wrong =
        Weirs.webInf("rules: [{ name: all, match: /**, limits: [5 per fortnight] }]", loader())
            .inApplication("/shop");
    try (LogCapture log = new LogCapture("dev.weir")) {
      assertThatThrownBy(() -> Weir.open(wrong)).isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> Weir.join(wrong)).isInstanceOf(ConfigurationException.class);
      assertThat(log.records())
          .filteredOn(record -> record.getLevel().equals(Level.SEVERE))
          .hasSize(2)
          .allSatisfy(
              record ->
                  assertThat(record.getMessage())
                      .startsWith("limits of /shop does not start:")
                      .contains("/WEB-INF/weir.yaml:1:43", "5 per fortnight"));
    }
  }

  @Test
  void JMX_names_the_application() throws Exception {
    try (Weir shop = open("/shop");
        Weir bank = open("/bank")) {
      assertThat(List.of(shop, bank)).doesNotHaveDuplicates();
      assertThat(beans("context=\"/shop\"")).hasSize(1);
      assertThat(beans("context=\"/bank\"")).hasSize(1);
    }
    assertThat(beans("context=*")).isEmpty();
  }

  private static List<ObjectName> beans(String key) throws Exception {
    ObjectName pattern = new ObjectName("dev.weir:type=Weir,application=\"same\"," + key + ",*");
    return List.copyOf(ManagementFactory.getPlatformMBeanServer().queryNames(pattern, null));
  }

  @ParameterizedTest
  @CsvSource({
    "/shop,      -shop",
    "'',         -ROOT",
    "/a/b,       -a#b",
    "/caf\u00e9 1, -caf__1",
    "/aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee, -aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"
  })
  void its_threads_have_its_name(String contextPath, String suffix) {
    List<String> before = threads();
    try (Weir weir = open(contextPath)) {
      assertThat(weir.rules()).hasSize(1);
      List<String> its = new ArrayList<>(threads());
      its.removeAll(before);
      its.removeIf(name -> name.equals("weir-classes"));
      assertThat(its).isNotEmpty().allMatch(name -> name.endsWith(suffix));
    }
  }

  @Test
  void threads_outside_of_a_web_application_have_the_name_of_the_keys() {
    List<String> before = threads();
    try (Weir weir = Weir.of(YAML)) {
      assertThat(weir.rules()).hasSize(1);
      List<String> its = new ArrayList<>(threads());
      its.removeAll(before);
      its.removeIf(name -> name.equals("weir-classes"));
      assertThat(its).isNotEmpty().allMatch(name -> name.endsWith("-same"));
    }
  }

  @Test
  void a_packed_file_says_that_it_is_never_reloaded_and_what_helps() {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = open("/shop")) {
      assertThat(weir.rules()).hasSize(1);
      assertThat(log.text())
          .contains("/WEB-INF/weir.yaml of /shop: never reloaded", "init-param 'config'");
    }
  }

  @Test
  void a_packed_file_that_wants_no_reload_says_nothing() {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = Weir.open(Weirs.webInf("reload: off\n" + YAML, loader()));
        Weir ofText = Weir.of(YAML)) {
      assertThat(List.of(weir, ofText)).doesNotHaveDuplicates();
      assertThat(log.text()).doesNotContain("never reloaded");
    }
  }

  private static Weir open(String contextPath) {
    return Weir.open(Weirs.webInf(YAML, loader()).inApplication(contextPath));
  }

  private static ClassLoader loader() {
    return Weirs.application();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir"))
        .toList();
  }
}

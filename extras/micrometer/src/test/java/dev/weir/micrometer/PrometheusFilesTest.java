package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.WeirMXBean;
import dev.weir.fixture.Documents;
import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.micrometer.PromQl.Selector;
import dev.weir.micrometer.Scrape.Family;
import dev.weir.redis.RedisStatus.Breaker;
import dev.weir.store.Source;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Alerts, panels and the page of metrics name what there is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrometheusFilesTest {

  private static final String RULES = "docs/prometheus-rules.yml";
  private static final String PANELS = "docs/grafana.json";
  private static final String PAGE = "docs/metrics.md";

  /** Of Prometheus itself, of redis_exporter, and of the JMX exporter, which renames one. */
  private static final Set<String> METRICS_OF_OTHERS =
      Set.of("up", "redis_cpu_user_seconds_total", "redis_cpu_sys_seconds_total", "weir_version");

  /** Prometheus adds the first two, the JMX exporter the others. */
  private static final Set<String> LABELS_OF_OTHERS =
      Set.of("job", "instance", "application", "context", "config");

  private static final Map<String, Set<String>> VALUES =
      Map.of(
          "outcome", outcomes(),
          "reason", named(Reason.values()),
          "source", named(Source.values(), "rule"),
          "store", Set.of("redis", "local"),
          "breaker", named(Breaker.values()));

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(weir_[a-z_]+)` \\| ([a-z]+) \\| (.*?) \\| .* \\| (.*?) \\|$");
  private static final Pattern CODE = Pattern.compile("`(\\w+)`");

  private final MeteredWeir weir = new MeteredWeir();

  @SuppressWarnings("NullAway.Init") // before all tests
  private Scrape scrape;

  private static Set<String> outcomes() {
    Set<String> outcomes = named(RuleOutcome.values());
    outcomes.addAll(named(Outcome.values()));
    return outcomes;
  }

  private static Set<String> named(Enum<?>[] constants, String... further) {
    Set<String> names = new TreeSet<>(Arrays.asList(further));
    Stream.of(constants).forEach(it -> names.add(it.name().toLowerCase(Locale.ROOT)));
    return names;
  }

  @BeforeAll
  void scrape() {
    scrape = Scrape.of(weir.scraped());
  }

  @AfterAll
  void close() {
    weir.close();
  }

  static List<String> expressions(String file) {
    List<String> expressions = new ArrayList<>();
    collect("expr", loaded(file), expressions);
    return expressions;
  }

  private static Object loaded(String file) {
    return new Load(LoadSettings.builder().build()).loadFromString(Documents.text(file));
  }

  private static void collect(String key, Object from, List<String> found) {
    if (from instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            if (name.equals(key)) {
              found.add(String.valueOf(value));
            } else if (value != null) {
              collect(key, value, found);
            }
          });
    } else if (from instanceof List<?> list) {
      list.forEach(each -> collect(key, each, found));
    }
  }

  @Test
  void alerts_name_metrics_and_labels_that_there_are() {
    List<String> alerts = expressions(RULES);
    assertThat(alerts).hasSizeGreaterThanOrEqualTo(10).allSatisfy(this::requireKnown);
  }

  @Test
  void panels_name_metrics_and_labels_that_there_are() {
    List<String> panels = expressions(PANELS);
    assertThat(panels).hasSizeGreaterThanOrEqualTo(30).allSatisfy(this::requireKnown);
  }

  private void requireKnown(String expression) {
    PromQl query = PromQl.of(expression);
    Set<String> labels = new TreeSet<>(LABELS_OF_OTHERS);
    assertThat(query.selectors()).isNotEmpty();
    for (Selector selector : query.selectors()) {
      requireKnown(selector);
      labels.addAll(scrape.labelsOf(selector.metric()));
    }
    assertThat(labels).containsAll(query.groupings());
  }

  private void requireKnown(Selector selector) {
    if (METRICS_OF_OTHERS.contains(selector.metric())) {
      return;
    }
    assertThat(scrape.names()).contains(selector.metric());
    Set<String> labels = new TreeSet<>(LABELS_OF_OTHERS);
    labels.addAll(scrape.labelsOf(selector.metric()));
    assertThat(labels).as(selector.metric()).containsAll(selector.labels().keySet());
    selector
        .labels()
        .forEach(
            (label, values) -> {
              if (VALUES.containsKey(label)) {
                assertThat(values)
                    .allMatch(
                        value ->
                            VALUES.get(label).stream().anyMatch(known -> known.matches(value)));
              }
            });
  }

  @Test
  void the_page_has_each_metric_with_its_type_its_labels_and_its_attribute() {
    Map<String, Family> rows =
        ROW.matcher(Documents.text(PAGE))
            .results()
            .collect(
                Collectors.toMap(
                    row -> row.group(1), row -> new Family(row.group(2), "", codes(row.group(3)))));
    assertThat(rows.keySet()).isEqualTo(scrape.families().keySet());
    scrape
        .families()
        .forEach(
            (name, family) -> {
              Set<String> labels = new TreeSet<>(family.labels());
              labels.remove("le");
              assertThat(rows).containsEntry(name, new Family(family.type(), "", labels));
            });
  }

  @Test
  void the_page_names_attributes_that_there_are() {
    Set<String> attributes =
        Stream.of(WeirMXBean.class.getMethods())
            .map(Method::getName)
            .map(getter -> getter.replaceFirst("^(get|is)", ""))
            .collect(Collectors.toSet());
    Matcher rows = ROW.matcher(Documents.text(PAGE));
    assertThat(rows.results().flatMap(row -> codes(row.group(4)).stream()))
        .hasSizeGreaterThan(25)
        .isSubsetOf(attributes);
  }

  private static Set<String> codes(String cell) {
    return CODE.matcher(cell)
        .results()
        .map(code -> code.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.StatusPage;
import dev.weir.config.StatusPage.Answer;
import dev.weir.config.WeirSource;
import dev.weir.http.FakeRequest;
import dev.weir.micrometer.Scrape.Family;
import dev.weir.micrometer.Scrape.Sample;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The page of the status has the metrics of Micrometer, without a library. */
class StatusPageMetricsTest {

  /** Timers, for which each decision would have to read the clock, scraped or not. */
  private static final Set<String> TIMERS =
      Set.of(
          "weir_decision_duration_seconds",
          "weir_decision_duration_seconds_max",
          "weir_delay_seconds",
          "weir_delay_seconds_max");

  /** What changes between two scrapes. */
  private static final Set<String> MOVING =
      Set.of(
          "weir_redis_calls_total",
          "weir_redis_batches_total",
          "weir_redis_batches_max",
          "weir_redis_calls_waiting",
          "weir_clock_skew_seconds",
          "weir_redis_roundtrip_min_seconds");

  @Test
  void both_have_the_same_names_types_helps_labels_and_values() {
    try (MeteredWeir weir = new MeteredWeir();
        StatusPage page = page()) {
      await().until(() -> !Double.isNaN(Scrape.of(text(page)).value("weir_clock_skew_seconds")));
      Scrape micrometer = Scrape.of(weir.scraped());
      Scrape status = Scrape.of(text(page));
      Map<String, Family> expected = new TreeMap<>(micrometer.families());
      expected.keySet().removeAll(TIMERS);
      assertThat(status.families()).isEqualTo(expected);
      assertThat(status.samples())
          .filteredOn(sample -> !MOVING.contains(sample.name()))
          .containsExactlyInAnyOrderElementsOf(
              micrometer.samples().stream().filter(StatusPageMetricsTest::isSteady).toList());
      assertThat(status.value("weir_requests_total", "outcome", "denied")).isPositive();
    }
  }

  private static boolean isSteady(Sample sample) {
    return !MOVING.contains(sample.name())
        && !sample.name().startsWith("weir_decision_duration_seconds")
        && !sample.name().startsWith("weir_delay_seconds");
  }

  @Test
  void Prometheus_finds_no_fault_in_it() throws Exception {
    Promtool promtool = Promtool.orSkip();
    try (MeteredWeir weir = new MeteredWeir();
        StatusPage page = page()) {
      assertThat(weir.scraped()).isNotEmpty();
      assertThat(promtool.run(text(page), "check", "metrics")).isEmpty();
    }
  }

  private static StatusPage page() {
    return StatusPage.open(
        new WeirSource(
            "weir-status",
            Map.of("allow", "127.0.0.1"),
            WeirSource.Resources.NONE,
            WeirSource.applicationClassLoader()));
  }

  private static String text(StatusPage page) {
    FakeRequest request =
        FakeRequest.get("/weir-status")
            .from("127.0.0.1")
            .host("localhost")
            .query("format", "prometheus");
    Answer answer = page.answer(request, request).orElseThrow();
    assertThat(answer.status()).isEqualTo(200);
    return answer.body();
  }
}

package dev.weir.config;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * A number of a {@link WeirStatus}, for a library of metrics. Names and labels are constants, and
 * names of rules and limits in the file, so no client adds a metric. Immutable.
 *
 * <pre>{@code
 * try (Weir weir = Weir.join(WeirSource.of("metrics"))) {
 *   for (StatusMetric metric : weir.metrics()) {
 *     double now = metric.value().applyAsDouble(weir.status());
 *     System.out.println(metric.prometheusName() + metric.labels() + " " + now);
 *   }
 * }
 * }</pre>
 *
 * <p>{@code docs/metrics.md} lists all of them, by {@link #prometheusName}.
 *
 * @param name in words that dots separate, without a unit, such as {@code weir.nodes.live}
 * @param labels each name with its value
 * @param help what the number means
 * @param value reads the number from a status of the same Weir. NaN while it is unknown
 */
public record StatusMetric(
    String name,
    SortedMap<String, String> labels,
    Kind kind,
    String help,
    ToDoubleFunction<WeirStatus> value) {

  /** What a number counts. */
  public enum Kind {
    /** Events since the start. It only grows. */
    COUNTER("counter", "_total"),
    /** What there is now. */
    GAUGE("gauge", ""),
    /** A duration, or a time since 1970, in seconds. */
    SECONDS("gauge", "_seconds");

    final String prometheusType;
    private final String suffix;

    Kind(String prometheusType, String suffix) {
      this.prometheusType = prometheusType;
      this.suffix = suffix;
    }
  }

  public StatusMetric {
    Objects.requireNonNull(name, "name");
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(help, "help");
    Objects.requireNonNull(value, "value");
  }

  /** Returns the name in Prometheus, such as {@code weir_requests_total}. */
  public String prometheusName() {
    return name.replace('.', '_') + kind.suffix;
  }
}

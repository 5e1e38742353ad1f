package dev.weir.config;

import dev.weir.internal.Redaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A writer of metrics in the text format of Prometheus, version 0.0.4. Credentials of URIs are
 * masked in the values of labels.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition
 *     formats</a>
 */
final class PrometheusText {

  private PrometheusText() {}

  /** Returns the numbers of this status. Those of one name stand together. */
  static String of(List<StatusMetric> metrics, WeirStatus status) {
    Map<String, List<StatusMetric>> byName = new LinkedHashMap<>();
    for (StatusMetric metric : metrics) {
      byName.computeIfAbsent(metric.prometheusName(), name -> new ArrayList<>()).add(metric);
    }
    StringBuilder text = new StringBuilder(16_384);
    byName.forEach(
        (name, samples) -> {
          StatusMetric first = samples.get(0);
          line(text, "# HELP", name, first.help());
          line(text, "# TYPE", name, first.kind().prometheusType);
          for (StatusMetric sample : samples) {
            String value = Double.toString(sample.value().applyAsDouble(status));
            line(text, name + labels(sample.labels()), value);
          }
        });
    return text.toString();
  }

  private static void line(StringBuilder text, String... words) {
    text.append(String.join(" ", words)).append('\n');
  }

  private static String labels(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return "";
    }
    List<String> pairs = new ArrayList<>();
    labels.forEach((label, value) -> pairs.add(label + "=\"" + escaped(value) + "\""));
    return "{" + String.join(",", pairs) + "}";
  }

  /** The format escapes these three, and no other character. */
  private static String escaped(String value) {
    return Redaction.masked(value).replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
  }
}

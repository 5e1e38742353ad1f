package dev.weir.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.config.Weir;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.Scanner;

/**
 * A node with meters in a process of its own, by the file that is its argument. For each number
 * that it reads, it decides on that many requests, and replies with a scrape and {@link #END}.
 */
final class ExportedNode {

  static final String END = "# END";

  private ExportedNode() {}

  @SuppressWarnings("SystemOut") // the reply
  public static void main(String[] arguments) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Weir weir = Weir.open(Path.of(arguments[0]));
        WeirMetrics metrics = new WeirMetrics(weir);
        Scanner numbers = new Scanner(System.in, UTF_8)) {
      metrics.bindTo(registry);
      while (numbers.hasNextInt()) {
        MeteredWeir.request(weir, numbers.nextInt());
        System.out.println(registry.scrape());
        System.out.println(END);
      }
    }
  }
}

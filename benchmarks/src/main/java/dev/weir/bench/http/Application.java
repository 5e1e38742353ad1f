package dev.weir.bench.http;

import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * An application that is measured, in variants of which the best counts.
 *
 * @param keys the number of different clients
 * @param isInRedis whether each of them leaves a key there
 */
record Application(String metric, List<Variant> variants, int keys, boolean isInRedis) {

  /** One way to set it up, under a name of its own. */
  record Variant(String name, Deployment deployment) {}

  /** A deployment of an application of this name on a server. */
  @FunctionalInterface
  interface Deployment {
    void of(WebServer server, String name, String redis) throws IOException;
  }

  String costMetric() {
    return metric.replace("http-", "http-cpu-");
  }

  List<String> names() {
    return variants.stream().map(Variant::name).toList();
  }

  void deploy(WebServer server, String redis) throws IOException {
    for (Variant variant : variants) {
      variant.deployment().of(server, variant.name(), redis);
    }
  }

  String best(ToDoubleFunction<String> merit) {
    return Collections.max(names(), Comparator.comparingDouble(merit));
  }
}

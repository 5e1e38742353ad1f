package dev.weir.bench.http;

import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.EarlierJar;
import dev.weir.bench.peer.Numbers;
import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * An application that is measured, in variants of which the best counts. All variants have one
 * class loader: they run the same code.
 *
 * @param keys the number of different clients
 * @param numbers of its limit
 * @param sources where Weir makes its decisions, as its MBean names them; empty for others
 * @param jar the earlier build of Weir that it has; empty for this one
 */
record Application(
    String metric,
    Kind kind,
    List<Variant> variants,
    int keys,
    Numbers numbers,
    Set<String> sources,
    Optional<EarlierJar> jar) {

  private static final int OK = 200;
  static final int TOO_MANY_REQUESTS = 429;

  /** Where an application counts. */
  enum Kind {
    UNLIMITED,
    IN_PROCESS,

    /** Each client leaves a key there. */
    IN_REDIS
  }

  /** One way to set it up, under a name of its own. */
  record Variant(String name, Deployment deployment) {}

  /**
   * The place where an application is deployed.
   *
   * @param redis its URI
   * @param numbers of the limit
   */
  record Site(WebServer server, String redis, Build build, Numbers numbers) {}

  /** A deployment of an application of this name. */
  @FunctionalInterface
  interface Deployment {
    void of(String name, Site site) throws IOException;
  }

  String costMetric() {
    return metric.replace("http-", "http-cpu-");
  }

  List<String> names() {
    return variants.stream().map(Variant::name).toList();
  }

  /** Returns the status of all answers, once a scarce limit is exhausted. */
  int status() {
    return numbers.equals(Numbers.SCARCE) ? TOO_MANY_REQUESTS : OK;
  }

  /** Deploys all variants, each with a limit of these numbers. */
  void deploy(WebServer server, String redis, Numbers limit) throws IOException {
    Build build = server.closing(jar.map(Build::earlier).orElseGet(Build::current));
    for (Variant variant : variants) {
      variant.deployment().of(variant.name(), new Site(server, redis, build, limit));
    }
  }

  String best(ToDoubleFunction<String> merit) {
    return Collections.max(names(), Comparator.comparingDouble(merit));
  }
}

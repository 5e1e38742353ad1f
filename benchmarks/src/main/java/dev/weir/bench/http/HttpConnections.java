package dev.weir.bench.http;

import dev.weir.bench.Metric;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.http.Comparison.Found;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.NaiveLua;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Requests per second and processor time as in {@link HttpThroughput}, of the exact filter and the
 * naive one, over other numbers of connections.
 */
public record HttpConnections(int connections) implements Metric {

  public static final List<Metric> ALL =
      List.of(new HttpConnections(4), new HttpConnections(8), new HttpConnections(128));

  @Override
  public List<String> names() {
    return List.of("http-exact-" + connections + "c", "http-cpu-exact-" + connections + "c");
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(75);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    List<Application> all = new ArrayList<>(List.of(Applications.EXACT, Applications.NAIVE));
    Optional<Application> before = bench.before().map(Applications::before);
    before.ifPresent(all::add);
    Found found = new Comparison(connections, all).measure(bench);
    List<Row> rows = new ArrayList<>(found.exact(names(), Applications.NAIVE, NaiveLua.NAME));
    before.ifPresent(build -> rows.addAll(found.exact(names(), build, Build.EARLIER)));
    return found.warmth().noted(rows);
  }
}

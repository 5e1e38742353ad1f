package dev.weir.bench.http;

import dev.weir.bench.Metric;
import dev.weir.bench.Rounds;
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
    return Duration.ofSeconds(100);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Application exact = Applications.exact();
    Application naive = Applications.naive(connections);
    Optional<Application> before = bench.before().map(Applications::before);
    List<Application> all = new ArrayList<>(List.of(exact, naive));
    before.ifPresent(all::add);
    Found found =
        new Comparison(connections, JettyThreads.POOLED, all)
            .measure(bench.redis(), bench.rounds(Rounds.USUAL));
    bench.remark(found.remark());
    List<Row> rows = new ArrayList<>(found.rows(names(), exact, naive, NaiveLua.NAME));
    before.ifPresent(build -> rows.addAll(found.rows(names(), exact, build, Build.EARLIER)));
    return rows;
  }
}

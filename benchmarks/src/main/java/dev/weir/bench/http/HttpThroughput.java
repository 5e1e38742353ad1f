package dev.weir.bench.http;

import dev.weir.bench.Metric;
import dev.weir.bench.Row;
import dev.weir.bench.Workbench;
import dev.weir.bench.http.Comparison.Found;
import dev.weir.bench.http.Comparison.Served;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.NaiveLua;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Requests per second that Jetty serves with each filter, compared with those without one. Also the
 * processor time of the server for each request, in microseconds.
 */
public final class HttpThroughput implements Metric {

  private static final int CONNECTIONS = 32;

  @Override
  public List<String> names() {
    return Applications.LIMITED.stream()
        .flatMap(one -> Stream.of(one.metric(), one.costMetric()))
        .toList();
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(220);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    List<Application> all = new ArrayList<>(List.of(Applications.UNLIMITED));
    all.addAll(Applications.LIMITED);
    Optional<Application> before = bench.before().map(Applications::before);
    before.ifPresent(all::add);
    Found found = new Comparison(CONNECTIONS, all).measure(bench);
    List<Row> rows = new ArrayList<>();
    for (Application one : Applications.LIMITED) {
      rows.add(
          found.row(one.metric(), one, Applications.UNLIMITED, "unlimited", Served::perSecond));
      rows.add(
          found.row(one.costMetric(), one, Applications.UNLIMITED, "unlimited", Served::cpuMicros));
    }
    List<String> exact = List.of(Applications.EXACT.metric(), Applications.EXACT.costMetric());
    rows.addAll(found.exact(exact, Applications.NAIVE, NaiveLua.NAME));
    before.ifPresent(build -> rows.addAll(found.exact(exact, build, Build.EARLIER)));
    return found.warmth().noted(rows);
  }
}

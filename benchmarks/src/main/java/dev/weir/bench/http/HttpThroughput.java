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
    bench.before().map(Applications::before).ifPresent(all::add);
    Found found = new Comparison(CONNECTIONS, all).measure(bench);
    List<Row> rows = new ArrayList<>();
    for (Application one : Applications.LIMITED) {
      rows.add(
          found.row(one.metric(), one, Applications.UNLIMITED, "unlimited", Served::perSecond));
      rows.add(
          found.row(one.costMetric(), one, Applications.UNLIMITED, "unlimited", Served::cpuMicros));
    }
    rows.addAll(exact(found, "", Applications.NAIVE, NaiveLua.NAME));
    bench
        .before()
        .map(Applications::before)
        .ifPresent(before -> rows.addAll(exact(found, "", before, Build.EARLIER)));
    return rows;
  }

  /** Returns the rows of our exact filter beside this peer. */
  static List<Row> exact(Found found, String suffix, Application peer, String peerName) {
    Application ours = Applications.EXACT;
    return List.of(
        found.row(ours.metric() + suffix, ours, peer, peerName, Served::perSecond),
        found.row(ours.costMetric() + suffix, ours, peer, peerName, Served::cpuMicros));
  }
}

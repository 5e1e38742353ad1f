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
import java.util.stream.Stream;

/**
 * Requests per second that Jetty serves with each filter, compared with those without one. Also the
 * processor time of the server for each request, in microseconds.
 */
public final class HttpThroughput implements Metric {

  private static final int CONNECTIONS = 32;

  private final Application unlimited = Applications.unlimited();
  private final Application exact = Applications.exact();
  private final Application naive = Applications.naive(CONNECTIONS);

  private final List<Application> limited =
      List.of(
          Applications.lease(),
          exact,
          Applications.local(),
          Applications.denied(),
          naive,
          Applications.bucket4jRedis(CONNECTIONS),
          Applications.bucket4jLocal());

  @Override
  public List<String> names() {
    return limited.stream().flatMap(one -> metrics(one).stream()).toList();
  }

  private static List<String> metrics(Application one) {
    return List.of(one.metric(), one.costMetric());
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(260);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Optional<Application> before = bench.before().map(Applications::before);
    List<Application> all =
        Stream.of(Stream.of(unlimited), limited.stream(), before.stream())
            .flatMap(each -> each)
            .toList();
    Found found =
        new Comparison(CONNECTIONS, JettyThreads.POOLED, all)
            .measure(bench.redis(), bench.rounds(Rounds.USUAL));
    bench.remark(found.remark());
    List<Row> rows = new ArrayList<>();
    limited.forEach(
        one -> rows.addAll(found.rows(metrics(one), one, unlimited, unlimited.metric())));
    rows.addAll(found.rows(metrics(exact), exact, naive, NaiveLua.NAME));
    before.ifPresent(build -> rows.addAll(found.rows(metrics(exact), exact, build, Build.EARLIER)));
    return rows;
  }
}

package dev.weir.bench.http;

import dev.weir.bench.ChildJvm;
import dev.weir.bench.Metric;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.VirtualJdk;
import dev.weir.bench.Workbench;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Requests per second and processor time of the exact filter and the naive one, where Jetty calls
 * them on virtual threads, over many connections. It runs in a JVM of its own, on the newest JDK.
 */
public final class HttpVirtual implements Metric {

  static final int CONNECTIONS = 256;
  private static final List<String> CHILD = List.of("-Xms1g", "-Xmx1g");
  static final List<String> NAMES = List.of("http-exact-virtual", "http-cpu-exact-virtual");

  @Override
  public List<String> names() {
    return NAMES;
  }

  @Override
  public Duration plan() {
    return Duration.ofSeconds(150);
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Optional<Jdk> newest = VirtualJdk.newest();
    if (newest.isEmpty()) {
      return VirtualJdk.missing(NAMES, NaiveLua.NAME);
    }
    Jdk jdk = newest.get();
    int rounds = bench.rounds(Rounds.USUAL);
    try (ChildJvm child =
        ChildJvm.startOn(jdk.home(), HttpVirtualMain.class, CHILD, bench.redis().uri(), rounds)) {
      bench.remark(child.answer());
      return rows(child).stream().map(row -> row.noted(jdk.toString())).toList();
    }
  }

  private static List<Row> rows(ChildJvm child) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      rows.add(HttpVirtualMain.row(child.answer()));
    }
    return rows;
  }
}

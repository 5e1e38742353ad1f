package dev.weir.bench.grid;

import dev.weir.bench.ChildJvm;
import dev.weir.bench.Metric;
import dev.weir.bench.Rounds;
import dev.weir.bench.Row;
import dev.weir.bench.VirtualJdk;
import dev.weir.bench.Workbench;
import dev.weir.bench.delay.DelayProcess;
import dev.weir.bench.peer.NaiveLua;
import dev.weir.fixture.Jdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * One place of the grid, for one distance of Redis and one number of callers. It measures decisions
 * per second, the 99th percentile of their latency, and how often a client thread sleeps for a
 * decision.
 *
 * <p>All is void when {@code PING} takes much longer than the nominal round trip, before or after:
 * then the machine was too busy for the proxy to keep its delay.
 */
public record Grid(Distance distance, Threads threads, int callers) implements Metric {

  private static final List<String> CHILD = List.of("-Xms1g", "-Xmx1g");

  /** The place where context switches are reported under the plain name. */
  private static final String USUAL = "near-32t";

  /** Returns all places. */
  public static List<Metric> all() {
    List<Metric> all = new ArrayList<>();
    for (Distance distance : Distance.values()) {
      for (int callers : List.of(1, 8, 32)) {
        all.add(new Grid(distance, Threads.PLATFORM, callers));
      }
      all.add(new Grid(distance, Threads.VIRTUAL, 256));
    }
    return all;
  }

  @Override
  public List<String> names() {
    String place = distance.text() + "-" + callers + threads.letter();
    return List.of(
        "grid-" + place,
        "grid-" + place + "-p99",
        "client-switches" + (place.equals(USUAL) ? "" : "-" + place));
  }

  @Override
  public Duration plan() {
    return Contest.PLAN;
  }

  @Override
  public List<Row> measure(Workbench bench) throws Exception {
    Contest contest = new Contest(threads, callers, bench.rounds(Rounds.USUAL));
    String redis = bench.redis().uri();
    if (distance == Distance.NEAR) {
      return measure(contest, redis, bench);
    }
    try (DelayProcess proxy = DelayProcess.start(redis, distance.roundTrip())) {
      return measure(contest, proxy.uri(), bench);
    }
  }

  private List<Row> measure(Contest contest, String uri, Workbench bench) throws Exception {
    if (threads == Threads.PLATFORM) {
      return checked(uri, () -> rows(contest.at(uri), bench));
    }
    Optional<Jdk> newest = VirtualJdk.newest();
    if (newest.isEmpty()) {
      return VirtualJdk.missing(names(), NaiveLua.NAME);
    }
    Jdk jdk = newest.get();
    return checked(uri, () -> rows(onJdk(jdk, contest, uri), bench)).stream()
        .map(row -> row.noted(jdk.toString()))
        .toList();
  }

  private static Found onJdk(Jdk jdk, Contest contest, String uri) throws Exception {
    try (ChildJvm child =
        ChildJvm.startOn(
            jdk.home(), ContestMain.class, CHILD, uri, contest.callers(), contest.rounds())) {
      return Found.of(child.answer());
    }
  }

  /** A measurement of rows. */
  @FunctionalInterface
  private interface Measuring {
    List<Row> rows() throws Exception;
  }

  private List<Row> checked(String uri, Measuring measuring) throws Exception {
    Optional<String> before = distance.whyVoid(uri);
    if (before.isPresent()) {
      return voided(before.get());
    }
    List<Row> rows = measuring.rows();
    return distance.whyVoid(uri).map(this::voided).orElse(rows);
  }

  private List<Row> voided(String reason) {
    return names().stream().map(name -> Row.voided(name, NaiveLua.NAME, reason)).toList();
  }

  private List<Row> rows(Found found, Workbench bench) {
    bench.remark(
        "%s; %s; pools: naive-lua %d".formatted(names().get(0), found.warmth(), found.pool()));
    Row switches = row(2, found, Found.Figures::switches);
    return found
        .warmth()
        .noted(
            List.of(
                row(0, found, Found.Figures::perSecond),
                row(1, found, Found.Figures::p99Micros),
                switches.isVoid()
                    ? Row.voided(switches.metric(), NaiveLua.NAME, "no /proc")
                    : switches));
  }

  private Row row(int name, Found found, ToDoubleFunction<Found.Figures> value) {
    return new Row(
        names().get(name),
        value.applyAsDouble(found.ours()),
        value.applyAsDouble(found.peer()),
        NaiveLua.NAME);
  }
}

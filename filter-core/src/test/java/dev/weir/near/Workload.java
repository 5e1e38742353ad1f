package dev.weir.near;

import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Requests, at the times of a Poisson process for each key on each node, until an end. */
final class Workload {

  private static final double MICROS = 1_000_000;
  private static final long BURST_MICROS = 50_000;

  private final VirtualTime time;
  private final Ledger ledger;
  private final List<VirtualNode> nodes;
  private final SplittableRandom random;
  private final long endMicros;

  Workload(World world, List<VirtualNode> nodes, SplittableRandom random, long endMicros) {
    this.time = world.time();
    this.ledger = world.ledger();
    this.nodes = nodes;
    this.random = random;
    this.endMicros = endMicros;
  }

  /** Each key on as many nodes as its crowd says, from one of them on. */
  void add(Crowd crowd) {
    for (int key = 0; key < crowd.keys(); key++) {
      Account account = account(crowd.name(), key, crowd.limit());
      int first = random.nextInt(nodes.size());
      for (int i = 0; i < crowd.nodes(); i++) {
        new Stream(account, (first + i) % nodes.size(), crowd).next();
      }
    }
  }

  /** As many keys, the n-th of which is asked for 1/n as often as the first, on any node. */
  void addZipf(String name, int keys, String limit, double perSecond) {
    List<Account> accounts = new ArrayList<>();
    double[] sums = new double[keys];
    double sum = 0;
    for (int key = 0; key < keys; key++) {
      accounts.add(account(name, key, limit));
      sum += 1.0 / (key + 1);
      sums[key] = sum;
    }
    new Zipf(accounts, sums, perSecond, random.split()).next();
  }

  private Account account(String name, int key, String limit) {
    return ledger.open(new Counter(name, Limit.parse(limit), Subject.of(Integer.toString(key))));
  }

  private static long gap(double perSecond, SplittableRandom random) {
    return Math.max(1, Math.round(-Math.log(1 - random.nextDouble()) / perSecond * MICROS));
  }

  private final class Stream {

    private final Account account;
    private final int node;
    private final Crowd crowd;
    private final SplittableRandom gaps = random.split();
    private final long phaseMicros = random.nextLong(2 * BURST_MICROS);
    private long nextMicros;

    Stream(Account account, int node, Crowd crowd) {
      this.account = account;
      this.node = node;
      this.crowd = crowd;
    }

    private void next() {
      nextMicros += gap(crowd.perSecond(), gaps);
      if (crowd.inBursts() && (nextMicros + phaseMicros) / BURST_MICROS % 2 == 1) {
        nextMicros += BURST_MICROS;
      }
      if (nextMicros < endMicros) {
        time.at(nextMicros, this::request);
      }
    }

    private void request() {
      next();
      nodes.get(node).request(account);
    }
  }

  private final class Zipf {

    private final List<Account> accounts;
    private final double[] sums;
    private final double perSecond;
    private final SplittableRandom draws;
    private long nextMicros;

    Zipf(List<Account> accounts, double[] sums, double perSecond, SplittableRandom draws) {
      this.accounts = accounts;
      this.sums = sums;
      this.perSecond = perSecond;
      this.draws = draws;
    }

    private void next() {
      nextMicros += gap(perSecond, draws);
      if (nextMicros < endMicros) {
        time.at(nextMicros, this::request);
      }
    }

    private void request() {
      next();
      int found = Arrays.binarySearch(sums, draws.nextDouble() * sums[sums.length - 1]);
      int key = Math.min(found < 0 ? -found - 1 : found, accounts.size() - 1);
      nodes.get(draws.nextInt(nodes.size())).request(accounts.get(key));
    }
  }
}

package dev.weir.bench;

import dev.weir.bench.peer.EarlierJar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The common tools of all metrics: an empty Redis, the number of rounds, and a place for remarks.
 */
public final class Workbench {

  private final RedisUnderTest redis;
  private final Optional<Integer> mostRounds;
  private final Optional<EarlierJar> before;
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param mostRounds the most rounds for any measurement; empty for the usual number
   */
  Workbench(RedisUnderTest redis, Optional<Integer> mostRounds, Optional<EarlierJar> before) {
    this.redis = redis;
    this.mostRounds = mostRounds;
    this.before = before;
  }

  /** Returns the number of rounds, where so many are usual. */
  public int rounds(int usual) {
    return mostRounds.map(most -> Math.min(most, usual)).orElse(usual);
  }

  /** Returns the earlier build to measure beside this one, if any. */
  public Optional<EarlierJar> before() {
    return before;
  }

  public RedisUnderTest redis() {
    return redis;
  }

  /** Adds a remark on how it was measured; it is printed below the table. */
  @SuppressWarnings("SystemOut") // the user watches the run
  public void remark(String text) {
    System.out.println("  " + text);
    remarks.add(text);
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }
}

package dev.weir.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What all metrics have in common: a Redis of their own, how many rounds, and a place for remarks.
 */
public final class Workbench {

  private final RedisUnderTest redis;
  private final Optional<Integer> mostRounds;
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param mostRounds how many anything may be measured in; empty for as many as are usual
   */
  Workbench(RedisUnderTest redis, Optional<Integer> mostRounds) {
    this.redis = redis;
    this.mostRounds = mostRounds;
  }

  /** How many rounds to measure in, where so many are usual. */
  public int rounds(int usual) {
    return mostRounds.map(most -> Math.min(most, usual)).orElse(usual);
  }

  public RedisUnderTest redis() {
    return redis;
  }

  /** Says something about how it was measured that belongs beside the table. */
  @SuppressWarnings("SystemOut") // who runs it looks on
  public void remark(String text) {
    System.out.println("  " + text);
    remarks.add(text);
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }
}

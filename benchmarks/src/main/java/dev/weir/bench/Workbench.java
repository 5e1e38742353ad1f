package dev.weir.bench;

import java.util.ArrayList;
import java.util.List;

/** What all metrics have in common: a Redis of their own, and a place for remarks. */
public final class Workbench {

  private final RedisUnderTest redis;
  private final List<String> remarks = new ArrayList<>();

  Workbench(RedisUnderTest redis) {
    this.redis = redis;
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

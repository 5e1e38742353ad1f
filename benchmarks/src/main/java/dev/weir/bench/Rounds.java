package dev.weir.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A measurement of several contenders in turn, round after round, so that other work of the machine
 * affects all alike. Each round begins with another contender: none always follows the same one.
 */
public final class Rounds {

  /** So many give a median that two disturbed ones do not move. */
  public static final int USUAL = 5;

  /** A contender that is measured. */
  @FunctionalInterface
  public interface Measured<T> {
    T once() throws Exception;
  }

  private Rounds() {}

  /** Measures all of these, by their names. */
  public static <T> Results<T> interleaved(int rounds, Map<String, ? extends Measured<T>> all)
      throws Exception {
    List<Entry<T>> turns = new ArrayList<>();
    all.forEach((name, measured) -> turns.add(new Entry<>(name, measured, new ArrayList<>())));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < turns.size(); i++) {
        turns.get((i + round) % turns.size()).take();
      }
    }
    Map<String, List<T>> found = new LinkedHashMap<>();
    turns.forEach(turn -> found.put(turn.name(), turn.found()));
    return new Results<>(found);
  }

  private record Entry<T>(String name, Measured<? extends T> measured, List<T> found) {

    void take() throws Exception {
      found.add(measured.once());
    }
  }
}

package dev.weir.bench.load;

import dev.weir.bench.Opened;
import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.peer.Build;
import dev.weir.bench.peer.Contender;
import dev.weir.bench.peer.Numbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A contender with pools of several sizes, all open. A trial chooses the one that serves it best.
 * All have one class loader: they run the same code. Warm all of them up before the trial.
 */
public final class PoolChoice implements AutoCloseable {

  private static final List<Integer> SIZES = List.of(8, 16, 32, 64, 128);
  private static final int ROUNDS = 2;

  private final Opened opened = new Opened();
  private final Map<Integer, Contender> bySize = new LinkedHashMap<>();

  /** A load that measures a contender. */
  @FunctionalInterface
  public interface Trial {
    Outcome of(Contender contender) throws Exception;
  }

  /** The best contender. The choice closes it. */
  public record Chosen(int pool, Contender contender) {}

  private PoolChoice() {}

  /**
   * Returns the sizes that may serve so many callers best: all that are smaller than their number,
   * and one that serves all of them at once.
   */
  public static List<Integer> sizes(int callers) {
    return SIZES.stream().filter(size -> size.equals(SIZES.get(0)) || size / 2 < callers).toList();
  }

  /** Opens a peer of this build with pools for so many callers. */
  public static PoolChoice open(
      Class<? extends Contender> peer, String uri, int keys, Numbers numbers, int callers)
      throws Exception {
    PoolChoice choice = new PoolChoice();
    try {
      Build build = choice.opened.add(Build.current());
      for (int size : sizes(callers)) {
        choice.bySize.put(size, choice.opened.add(build.peer(peer, uri, size, keys, numbers)));
      }
      return choice;
    } catch (Exception e) {
      choice.opened.closeAfter(e);
      throw e;
    }
  }

  /** Returns the contender with each pool, the smallest first. */
  public Collection<Contender> all() {
    return bySize.values();
  }

  /** Returns that with the best pool, and closes the others. */
  public Chosen best(Trial trial) throws Exception {
    Map<String, Rounds.Measured<Outcome>> measured = new LinkedHashMap<>();
    bySize.forEach((size, one) -> measured.put(size.toString(), () -> trial.of(one)));
    Results<Outcome> tried = Rounds.interleaved(ROUNDS, measured);
    int best =
        Collections.max(
            bySize.keySet(),
            Comparator.comparing(size -> tried.median(size.toString(), Outcome::perSecond)));
    List<Integer> others = new ArrayList<>(bySize.keySet());
    others.remove(Integer.valueOf(best));
    for (Integer size : others) {
      bySize.remove(size).close();
    }
    return new Chosen(best, bySize.values().iterator().next());
  }

  @Override
  public void close() {
    opened.close();
  }
}

package dev.weir.bench.load;

import dev.weir.bench.Results;
import dev.weir.bench.Rounds;
import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.peer.Contender;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The choice, by trial, of the pool that serves a contender best. */
public final class PoolChoice {

  private static final List<Integer> SIZES = List.of(8, 16, 32);
  private static final int ROUNDS = 2;

  /** A function that opens a contender with so many connections. */
  @FunctionalInterface
  public interface Opener {
    Contender open(int pool);
  }

  /** A load that measures a contender. */
  @FunctionalInterface
  public interface Trial {
    Outcome of(Contender contender) throws Exception;
  }

  /** The best contender, warm and open. */
  public record Chosen(int pool, Contender contender) {

    private String name() {
      return "pool of " + pool;
    }
  }

  private PoolChoice() {}

  /** Returns the best of the usual sizes. */
  public static Chosen best(Opener opener, Load trial) throws Exception {
    return best(SIZES, opener, trial::on);
  }

  /** Returns the best of these sizes. It warms all of them up before it measures. */
  public static Chosen best(List<Integer> sizes, Opener opener, Trial trial) throws Exception {
    List<Chosen> all = new ArrayList<>();
    Map<String, Rounds.Measured<Outcome>> measured = new LinkedHashMap<>();
    for (int size : sizes) {
      Chosen one = new Chosen(size, opener.open(size));
      all.add(one);
      measured.put(one.name(), () -> trial.of(one.contender()));
      trial.of(one.contender());
    }
    Results<Outcome> tried = Rounds.interleaved(ROUNDS, measured);
    Chosen best =
        Collections.max(
            all, Comparator.comparing(one -> tried.median(one.name(), Outcome::perSecond)));
    all.stream().filter(one -> !one.equals(best)).forEach(one -> one.contender().close());
    return best;
  }
}

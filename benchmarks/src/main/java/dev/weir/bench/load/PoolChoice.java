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

/** Which of the usual pools serves a contender best, found by trying. */
public final class PoolChoice {

  private static final List<Integer> SIZES = List.of(8, 16, 32);
  private static final int ROUNDS = 2;

  /** Opens a contender with so many connections. */
  @FunctionalInterface
  public interface Opener {
    Contender open(int pool);
  }

  /** A load that tells how well a contender does. */
  @FunctionalInterface
  public interface Trial {
    Outcome of(Contender contender) throws Exception;
  }

  /** The best, warm and open. */
  public record Chosen(int pool, Contender contender) {

    private String name() {
      return "pool of " + pool;
    }
  }

  private PoolChoice() {}

  /** Of the usual sizes. */
  public static Chosen best(Opener opener, Load trial) throws Exception {
    return best(SIZES, opener, trial::on);
  }

  /** Of these sizes. It warms all of them up before it looks. */
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

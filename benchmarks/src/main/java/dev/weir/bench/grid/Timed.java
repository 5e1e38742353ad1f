package dev.weir.bench.grid;

import dev.weir.bench.peer.Contender;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** A contender that records how long each of its decisions takes. */
final class Timed implements Contender {

  private static final int DIGITS = 3;

  /** The total weight of each caller. */
  private static final double WEIGHT = 1e9;

  private final Contender contender;
  private final Queue<Histogram> callers = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Histogram> nanos = ThreadLocal.withInitial(this::newCaller);

  Timed(Contender contender) {
    this.contender = contender;
  }

  private Histogram newCaller() {
    Histogram caller = new Histogram(DIGITS);
    callers.add(caller);
    return caller;
  }

  @Override
  public boolean admits(int key) {
    long before = System.nanoTime();
    boolean admits = contender.admits(key);
    nanos.get().recordValue(System.nanoTime() - before);
    return admits;
  }

  /** Returns {@link #p99Micros(Collection)} of all callers, after they have ended. */
  double p99Micros() {
    return p99Micros(callers);
  }

  /**
   * Returns the 99th percentile of the time that a decision takes for a caller taken at random.
   *
   * <p>Each caller has the same weight. A caller that waits long decides seldom. If each decision
   * had the same weight, the callers that a pool starves would vanish from the percentile.
   *
   * @param callers how many nanoseconds each one's decisions took
   */
  static double p99Micros(Collection<Histogram> callers) {
    Histogram all = new Histogram(DIGITS);
    for (Histogram caller : callers) {
      double each = WEIGHT / caller.getTotalCount();
      for (HistogramIterationValue value : caller.recordedValues()) {
        long count = Math.round(each * value.getCountAtValueIteratedTo());
        all.recordValueWithCount(value.getValueIteratedTo(), count);
      }
    }
    return all.getValueAtPercentile(99) / 1e3;
  }

  @Override
  public void close() {
    contender.close();
  }
}

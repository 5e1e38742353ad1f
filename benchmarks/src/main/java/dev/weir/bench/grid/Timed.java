package dev.weir.bench.grid;

import dev.weir.bench.peer.Contender;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** A contender, and how long each of its decisions takes. */
final class Timed implements Contender {

  private static final int DIGITS = 3;

  /** What each caller counts in all. */
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

  /** As {@link #p99Micros(Collection)} says, when all callers have ended. */
  double p99Micros() {
    return p99Micros(callers);
  }

  /**
   * The time in which 99 % of the decisions are made that a caller taken at random asks for.
   *
   * <p>Each caller counts alike. One that waits long asks seldom: if each decision counted alike,
   * the callers that a pool starves would vanish from the percentile.
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

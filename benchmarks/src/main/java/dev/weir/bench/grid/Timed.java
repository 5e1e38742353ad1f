package dev.weir.bench.grid;

import dev.weir.bench.peer.Contender;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** A contender, and how long each of its decisions takes. */
final class Timed implements Contender {

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int DIGITS = 3;

  private final Contender contender;
  private final ConcurrentHistogram nanos = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);

  Timed(Contender contender) {
    this.contender = contender;
  }

  @Override
  public boolean admits(int key) {
    long before = System.nanoTime();
    boolean admits = contender.admits(key);
    nanos.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - before));
    return admits;
  }

  double p99Micros() {
    return nanos.getValueAtPercentile(99) / 1e3;
  }

  @Override
  public void close() {
    contender.close();
  }
}

package dev.weir.bench.load;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The work of the compiler of this JVM. It is one thread or two among those of the load, so on two
 * processors it takes a good part of both until it is done.
 */
public final class Compilation {

  /** In a quiet window, the compiler's time grows by less than this part of its total. */
  private static final double GROWTH = 0.01;

  /**
   * It also grows by less than this part of the window. Late in a run the total is large, and a
   * compiler at work hides in a hundredth of it.
   */
  private static final double SHARE = 0.01;

  private static final Duration WINDOW = Duration.ofSeconds(5);

  /** The compiler may pause for one window, while a contender is not hot yet. */
  private static final int QUIET_WINDOWS = 2;

  /** So long each contender is under load before the first window. */
  private static final Duration LEAST_LOAD = Duration.ofSeconds(3);

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final LongSupplier nanos;
  private final LongSupplier compiledMillis;

  /** Work that is compiled as it is repeated. */
  @FunctionalInterface
  public interface Work {
    void once() throws Exception;
  }

  /**
   * @param nanos a clock
   * @param compiledMillis the total time of the compiler
   */
  Compilation(LongSupplier nanos, LongSupplier compiledMillis) {
    this.nanos = nanos;
    this.compiledMillis = compiledMillis;
  }

  /** Returns that of this JVM. */
  public static Compilation ofThisJvm() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return new Compilation(System::nanoTime, compiler::getTotalCompilationTime);
  }

  /**
   * Repeats this work until the compiler is done. It gives up after four minutes.
   *
   * @param each how long the work puts each contender under load
   */
  public Warmth finish(Duration each, Work work) throws Exception {
    long began = nanos.getAsLong();
    for (long load = 0; load < LEAST_LOAD.toNanos(); load += each.toNanos()) {
      work.once();
    }
    int quiet = 0;
    while (quiet < QUIET_WINDOWS) {
      if (nanos.getAsLong() - began > PATIENCE.toNanos()) {
        return new Warmth(since(began), false);
      }
      quiet = isQuietWindow(work) ? quiet + 1 : 0;
    }
    return new Warmth(since(began), true);
  }

  private boolean isQuietWindow(Work work) throws Exception {
    long began = nanos.getAsLong();
    long compiled = compiledMillis.getAsLong();
    do {
      work.once();
    } while (nanos.getAsLong() - began < WINDOW.toNanos());
    long millis = since(began).toMillis();
    double windows = (double) millis / WINDOW.toMillis();
    double grown = compiledMillis.getAsLong() - compiled;
    return grown < SHARE * millis && grown < GROWTH * compiled * windows;
  }

  private Duration since(long began) {
    return Duration.ofNanos(nanos.getAsLong() - began);
  }
}

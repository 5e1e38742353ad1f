package dev.weir.bench.load;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * The work of the compiler of this JVM. It is one thread or two among those of the load, so on two
 * processors it takes a good part of both until it is done.
 */
public final class Compilation {

  /** The compiler is done when its time grows by less than this part in so long. */
  private static final double GROWTH = 0.01;

  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  /** Work that is compiled as it is repeated. */
  @FunctionalInterface
  public interface Work {
    void once() throws Exception;
  }

  private Compilation() {}

  /**
   * Repeats this work until the compiler is done, and returns how long that took.
   *
   * @throws IllegalStateException when it is not done in five minutes
   */
  public static Duration finish(Work work) throws Exception {
    long began = System.nanoTime();
    long windowBegan = began;
    long compiled = COMPILER.getTotalCompilationTime();
    while (System.nanoTime() - began < PATIENCE.toNanos()) {
      work.once();
      long now = System.nanoTime();
      if (now - windowBegan < WINDOW.toNanos()) {
        continue;
      }
      long total = COMPILER.getTotalCompilationTime();
      double windows = (double) (now - windowBegan) / WINDOW.toNanos();
      if ((total - compiled) / windows < GROWTH * compiled) {
        return Duration.ofNanos(now - began);
      }
      windowBegan = now;
      compiled = total;
    }
    throw new IllegalStateException("the compiler is still at work (expected: done by now)");
  }
}

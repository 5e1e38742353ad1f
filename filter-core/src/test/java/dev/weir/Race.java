package dev.weir;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that start together. */
public final class Race {

  private static final int THREADS = 8;

  private Race() {}

  /** What each of the threads does; they are numbered from zero. */
  @FunctionalInterface
  public interface Work {
    void run(int thread) throws Exception;
  }

  /** Runs this work in eight threads at once, until all have done it or one has failed. */
  public static void run(Work work) throws ExecutionException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}

package dev.weir.bench.grid;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The kind of threads that callers run on. */
enum Threads {
  PLATFORM("t") {
    @Override
    ExecutorService start(int callers) {
      return Executors.newFixedThreadPool(callers);
    }
  },

  /** Found by reflection: this code is compiled for JDK 17, which has none. */
  VIRTUAL("v") {
    @Override
    ExecutorService start(int callers) throws ReflectiveOperationException {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
  };

  private final String letter;

  Threads(String letter) {
    this.letter = letter;
  }

  /** Returns the letter that follows their number in the name of a row. */
  String letter() {
    return letter;
  }

  /** Returns an executor that runs so many tasks at once. */
  abstract ExecutorService start(int callers) throws ReflectiveOperationException;
}

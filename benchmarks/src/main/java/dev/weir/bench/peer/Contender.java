package dev.weir.bench.peer;

/** One that limits keys, each counted apart. Thread-safe. */
public interface Contender extends AutoCloseable {

  /** Asks for one permit of this key. */
  boolean admits(int key);

  @Override
  void close();
}

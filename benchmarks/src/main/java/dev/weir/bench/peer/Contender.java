package dev.weir.bench.peer;

/** A limiter of keys, each counted apart. Thread-safe. */
public interface Contender extends AutoCloseable {

  /** Requests one permit of this key and returns whether it is allowed. */
  boolean admits(int key);

  @Override
  void close();
}

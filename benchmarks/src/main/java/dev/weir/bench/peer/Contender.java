package dev.weir.bench.peer;

/** A limiter of keys, each counted apart. Thread-safe. */
public interface Contender extends AutoCloseable {

  /** Requests one permit of this key and returns whether it is allowed. */
  boolean admits(int key);

  /** Fails if it has decided otherwise than its name says: the figures would be untrue. */
  default void requireNoStrays() {}

  /** Forgets such decisions, for example those before it was warm. */
  default void forgetStrays() {}

  @Override
  void close();
}

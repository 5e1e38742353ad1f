package dev.weir;

import java.time.Duration;

/**
 * Does something later, on a thread of its own that everybody shares: what is done there is done
 * soon, or handed on.
 */
interface Alarm extends AutoCloseable {

  /** What was to be done later, and may yet be called off. */
  interface Pending {

    /** Nothing that is to be done. */
    Pending NONE = () -> {};

    /** Never to be done, unless it is being done already. Nothing of it is kept in memory. */
    void callOff();
  }

  /** Nothing, once this is closed. */
  Pending in(Duration delay, Runnable task);

  /** What is to be done is not done any more. */
  @Override
  void close();
}

package dev.weir;

import java.time.Duration;

/** Does something later. */
interface Alarm extends AutoCloseable {

  /** What was to be done later, and may yet be called off. */
  interface Pending {

    /** Never to be done, unless it is being done already. */
    void callOff();
  }

  /** Nothing, once this is closed. */
  Pending in(Duration delay, Runnable task);

  /** What is to be done is not done any more. */
  @Override
  void close();
}

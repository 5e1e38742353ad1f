package dev.weir;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for what another thread does soon. */
final class Latches {

  private Latches() {}

  /** Whether it opens soon enough; false also for a thread that is interrupted. */
  static boolean opens(CountDownLatch latch) {
    try {
      return latch.await(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }
}

package dev.weir;

import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Blocks each thread that writes to a logger while this is open, as a slow log does. */
public final class BlockedLog extends Handler implements AutoCloseable {

  private final Logger logger;
  private final CountDownLatch isWriting = new CountDownLatch(1);
  private final CountDownLatch mayWrite = new CountDownLatch(1);

  public BlockedLog(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(this);
  }

  /** Whether a thread is blocked here soon. */
  public boolean isReached() {
    return Latches.opens(isWriting);
  }

  @Override
  public void publish(LogRecord record) {
    isWriting.countDown();
    try {
      mayWrite.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    mayWrite.countDown();
    logger.removeHandler(this);
  }
}

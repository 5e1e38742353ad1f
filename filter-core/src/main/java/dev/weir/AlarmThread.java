package dev.weir;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;

/** One daemon thread for all that is to be done, which is there only while there is something. */
final class AlarmThread implements Alarm {

  private static final long IDLE_SECONDS = 5;
  private static final long CLOSING_MILLIS = 400;

  private final ScheduledThreadPoolExecutor executor;

  AlarmThread(String name) {
    executor = new ScheduledThreadPoolExecutor(1, task -> daemon(name, task), new DiscardPolicy());
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public Pending in(Duration delay, Runnable task) {
    Future<?> future = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public void close() {
    executor.shutdownNow();
    try {
      executor.awaitTermination(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

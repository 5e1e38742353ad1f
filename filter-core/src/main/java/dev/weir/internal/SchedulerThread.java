package dev.weir.internal;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;

/** A scheduler with one daemon thread, which runs only while there are tasks. */
public final class SchedulerThread implements Scheduler {

  private static final long IDLE_SECONDS = 5;

  private final DaemonThreads threads;
  private final ScheduledThreadPoolExecutor executor;

  public SchedulerThread(String name) {
    threads = new DaemonThreads(name);
    executor = new ScheduledThreadPoolExecutor(1, threads, new DiscardPolicy());
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
  }

  @Override
  public Pending in(Duration delay, Runnable task) {
    Future<?> future = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public void close() {
    threads.end(executor);
  }
}

package dev.weir.internal;

/**
 * Creates threads that keep no process alive. They also retain nothing of the application with the
 * request that first needs them: neither its class loader nor its thread locals.
 */
public final class DaemonThread {

  private DaemonThread() {}

  /** Returns a thread that is not started yet. */
  public static Thread of(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(DaemonThread.class.getClassLoader());
    return thread;
  }
}

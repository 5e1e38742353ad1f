package dev.weir.internal;

/**
 * Threads that keep no process alive, and nothing of the application whose request happened to need
 * them first: neither its class loader nor its thread locals.
 */
public final class DaemonThread {

  private DaemonThread() {}

  /** One that is not started yet. */
  public static Thread of(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(DaemonThread.class.getClassLoader());
    return thread;
  }
}

package dev.weir.bench.http;

import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

/** The threads on which Jetty calls filters. */
enum JettyThreads {
  /** Its default. */
  POOLED {
    @Override
    ThreadPool create() {
      return new QueuedThreadPool();
    }
  },

  /** A new virtual thread for each request; the JDK must have them. */
  VIRTUAL {
    @Override
    ThreadPool create() {
      if (!VirtualThreads.areSupported()) {
        throw new IllegalStateException(
            "JDK " + Runtime.version() + ": no virtual threads (expected: a JDK that has them)");
      }
      QueuedThreadPool threads = new QueuedThreadPool();
      threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
      return threads;
    }
  };

  abstract ThreadPool create();
}

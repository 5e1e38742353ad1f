package dev.weir.internal.store;

import dev.weir.store.Deadline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The daemon threads of one executor. They keep no process alive. They also retain nothing of the
 * application with the request that first needs them: neither its class loader nor its thread
 * locals. Thread-safe.
 *
 * <p>Their names end in the {@linkplain #ownedBy owner} for which this object was made. What these
 * threads make has the same owner.
 */
public final class DaemonThreads implements ThreadFactory {

  private static final Duration CLOSING = Duration.ofMillis(400);

  private static final int LONGEST_OWNER = 40;
  private static final Pattern UNCLEAN = Pattern.compile("[^A-Za-z0-9._#-]");

  /** The owner of what this thread makes. */
  private static final ThreadLocal<@Nullable String> OWNER = new ThreadLocal<>();

  private final String name;
  private final @Nullable String owner;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  public DaemonThreads(String name) {
    this.name = named(name);
    this.owner = OWNER.get();
  }

  /**
   * Makes something whose threads belong to this owner, such as the application in a process of
   * several. Names have at most 40 characters of it, and only letters, digits and {@code . _ # -}.
   */
  public static <T> T ownedBy(String newOwner, Supplier<T> making) {
    String before = OWNER.get();
    String clean = UNCLEAN.matcher(newOwner).replaceAll("_");
    OWNER.set(clean.substring(0, Math.min(clean.length(), LONGEST_OWNER)));
    try {
      return making.get();
    } finally {
      OWNER.remove();
      if (before != null) {
        OWNER.set(before);
      }
    }
  }

  /** Returns the name of a thread that is made on this thread. */
  public static String named(String name) {
    String owner = OWNER.get();
    return owner == null || owner.isEmpty() ? name : name + "-" + owner;
  }

  /** Returns a single thread, which is not started yet. */
  public static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
    return thread;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread =
        thread(
            name,
            () -> {
              OWNER.set(owner);
              task.run();
            });
    threads.removeIf(known -> known.getState() == Thread.State.TERMINATED);
    threads.add(thread);
    return thread;
  }

  /**
   * Waits for the threads to end, until this deadline at most. An executor reports that it is
   * terminated shortly before its threads end.
   */
  public void join(Deadline until) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until.remainingNanos())));
    }
  }

  /** Interrupts running tasks, starts no more, and waits a moment for the threads. */
  public void end(ExecutorService executor) {
    executor.shutdownNow();
    await(executor, CLOSING);
  }

  /**
   * Waits for a closed executor and its threads, for at most this time. One of these threads does
   * not wait for itself.
   */
  public void await(ExecutorService executor, Duration time) {
    if (threads.contains(Thread.currentThread())) {
      return;
    }
    Deadline until = Deadline.after(time);
    try {
      if (executor.awaitTermination(until.remainingNanos(), TimeUnit.NANOSECONDS)) {
        join(until);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

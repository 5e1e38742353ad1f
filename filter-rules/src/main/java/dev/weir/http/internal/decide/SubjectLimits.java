package dev.weir.http.internal.decide;

import dev.weir.http.LimitFunction;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.internal.RecentlyUsed;
import dev.weir.internal.store.CounterKeys;
import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.internal.store.DaemonThreads;
import dev.weir.internal.store.Failures;
import dev.weir.limit.Limit;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.Subject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of single subjects, which users' functions return. Thread-safe.
 *
 * <p>A request never waits for a function. It takes what is known of its subject, or else the
 * limit's own numbers. If nothing was looked up within a minute, it begins a lookup on another
 * thread. A counter keeps what was charged when its numbers change. A function that does not return
 * is interrupted after 30 seconds, and a warning names its limit after a minute. Requests check
 * that: nobody misses the numbers without them.
 *
 * <p><b>Fairness.</b> Clients make up subjects, such as API keys. So subjects with numbers of their
 * own and all others are remembered in separate maps, and have separate threads and queues. A flood
 * of made-up subjects removes no known numbers, and delays none of their lookups. Of the others,
 * one address has at most four lookups that wait or run. So it occupies half of their threads at
 * most, however many subjects it makes up.
 */
public final class SubjectLimits implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.weir.http");

  /** The least time between two lookups of a subject, and between two warnings about a limit. */
  static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The most subjects with numbers of their own, and the most others, that are remembered. */
  static final int MOST_SUBJECTS = 20_000;

  static final int MOST_OF_ADDRESS = 4;

  /** After this time in a function, its thread is interrupted. */
  private static final long INTERRUPT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The threads of each of the two kinds of subjects. */
  private static final int THREADS = 8;

  private static final int MOST_QUEUED = 1_000;
  private static final long IDLE_SECONDS = 10;

  private final Ticker ticker;
  private final Pool ofKnown;
  private final Pool ofOthers;
  private final CounterKeys keys = new CounterKeys();

  // guarded by this
  private final Map<CounterKey, Numbers> known = new RecentlyUsed<>(MOST_SUBJECTS);
  private final Map<CounterKey, Numbers> others = new RecentlyUsed<>(MOST_SUBJECTS);
  private final Set<CounterKey> pending = new HashSet<>();
  private final Map<String, Integer> pendingOf = new HashMap<>();
  private final Map<String, Warnings> warnings = new HashMap<>();
  private final Map<Thread, Running> running = new HashMap<>();
  private boolean isClosed;

  /** Runs lookups of one kind, and is stopped when this is closed. */
  public record Pool(Executor executor, Runnable stop) {}

  /**
   * What is known of a subject.
   *
   * @param limit empty for the limit's own numbers
   * @param dueNanos when it may be looked up again
   */
  private record Numbers(Optional<Limit> limit, long dueNanos) {}

  /** When the next warning about a limit is due, and how many were suppressed since the last. */
  private record Warnings(long dueNanos, int suppressed) {}

  /** A lookup of a subject, for a request from this address; empty for a known subject. */
  private record Lookup(
      NamedLimit limit,
      LimitFunction function,
      CounterKey key,
      String value,
      Optional<String> address) {}

  /**
   * A function that runs.
   *
   * @param dueNanos when its thread is to be interrupted, and then when to warn of it
   */
  private record Running(Lookup lookup, long sinceNanos, long dueNanos) {}

  /** Creates an object that looks up subjects with numbers of their own, and others, in these. */
  public SubjectLimits(Ticker ticker, Pool ofKnown, Pool ofOthers) {
    this.ticker = ticker;
    this.ofKnown = ofKnown;
    this.ofOthers = ofOthers;
  }

  /** Returns an object that has threads only while there are lookups. */
  public static SubjectLimits of(Ticker ticker) {
    return new SubjectLimits(ticker, pool("weir-numbers"), pool("weir-new-numbers"));
  }

  private static Pool pool(String name) {
    DaemonThreads threads = new DaemonThreads(name);
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_QUEUED),
            threads);
    executor.allowCoreThreadTimeOut(true);
    return new Pool(executor, () -> threads.end(executor));
  }

  /**
   * Returns the limit with the numbers that apply to this subject now. Never waits.
   *
   * @param address of the client that sends the request
   */
  public Limit limitOf(
      NamedLimit limit, LimitFunction function, Subject subject, Supplier<String> address) {
    Subject.Part part = subject.parts().get(0);
    if (isReplaced(part)) {
      return limit.limit();
    }
    CounterKey key = keys.of(limit.name(), Subject.of(part.kind(), part.value()));
    long now = ticker.nanoTime();
    Numbers numbers;
    boolean isKnown;
    boolean isDue;
    List<Lookup> hanging;
    synchronized (this) {
      hanging = running.isEmpty() ? List.of() : hanging(now);
      isKnown = known.containsKey(key);
      Numbers unknown = new Numbers(Optional.empty(), now);
      numbers = (isKnown ? known : others).computeIfAbsent(key, first -> unknown);
      isDue = now - numbers.dueNanos >= 0 && !pending.contains(key) && !isClosed;
    }
    for (Lookup each : hanging) {
      warn(each, "has not returned for a minute");
    }
    if (isDue) {
      Optional<String> place = isKnown ? Optional.empty() : Optional.of(address.get());
      begin(new Lookup(limit, function, key, part.value(), place));
    }
    // a reload may have changed the algorithm
    return numbers
        .limit
        .filter(own -> own.algorithm() == limit.limit().algorithm())
        .orElse(limit.limit());
  }

  /**
   * Returns whether the request lacks this part, so that its address or nothing stands for it, or
   * whether only a digest of its long value is known.
   */
  private static boolean isReplaced(Subject.Part part) {
    return part.kind().startsWith("ip:") || part.value().isEmpty() || part.value().charAt(0) == 0;
  }

  /** Interrupts what has run for too long. Returns the lookups to warn of. */
  private synchronized List<Lookup> hanging(long now) {
    List<Lookup> hanging = new ArrayList<>();
    running.replaceAll(
        (thread, it) -> {
          if (now - it.dueNanos < 0) {
            return it;
          }
          if (it.dueNanos - it.sinceNanos == INTERRUPT_NANOS) {
            thread.interrupt();
          }
          if (now - it.sinceNanos < MINUTE_NANOS) {
            return new Running(it.lookup, it.sinceNanos, it.sinceNanos + MINUTE_NANOS);
          }
          hanging.add(it.lookup);
          return new Running(it.lookup, it.sinceNanos, now + MINUTE_NANOS);
        });
    return hanging;
  }

  private void begin(Lookup lookup) {
    synchronized (this) {
      if (lookup.address.isPresent()) {
        int ofAddress = pendingOf.getOrDefault(lookup.address.get(), 0);
        if (ofAddress >= MOST_OF_ADDRESS) {
          return;
        }
      }
      if (!pending.add(lookup.key)) {
        return;
      }
      lookup.address.ifPresent(one -> pendingOf.merge(one, 1, Integer::sum));
    }
    try {
      (lookup.address.isPresent() ? ofOthers : ofKnown).executor.execute(() -> run(lookup));
    } catch (RejectedExecutionException full) {
      end(lookup);
      warn(lookup, "does not return as fast as subjects come");
    }
  }

  private void run(Lookup lookup) {
    long dueNanos = ticker.nanoTime() + MINUTE_NANOS;
    Optional<Numbers> found = Optional.empty();
    try {
      found = call(lookup, dueNanos);
    } finally {
      remember(lookup, found, dueNanos);
      end(lookup);
    }
  }

  /** Returns the numbers, or empty when they are unknown and those before still apply. */
  private Optional<Numbers> call(Lookup lookup, long dueNanos) {
    Thread thread = Thread.currentThread();
    @Nullable ClassLoader before = thread.getContextClassLoader();
    try {
      thread.setContextClassLoader(lookup.function.getClass().getClassLoader()); // for JNDI
      @Nullable String text = returned(lookup);
      return text == null
          ? Optional.of(new Numbers(Optional.empty(), dueNanos))
          : parsed(text, lookup).map(limit -> new Numbers(Optional.of(limit), dueNanos));
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (Exception | Error failure) {
      warn(lookup, "failed: " + Failures.brief(failure));
      return Optional.empty();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private @Nullable String returned(Lookup lookup) throws Exception {
    Thread thread = Thread.currentThread();
    long now = ticker.nanoTime();
    synchronized (this) {
      running.put(thread, new Running(lookup, now, now + INTERRUPT_NANOS));
    }
    try {
      return lookup.function.limitOf(lookup.value);
    } finally {
      synchronized (this) {
        running.remove(thread);
      }
      boolean unused =
          Thread.interrupted(); // so that an interrupt reaches nothing but the function
    }
  }

  private Optional<Limit> parsed(String text, Lookup lookup) {
    Limit limit;
    try {
      limit = Limit.parse(text);
    } catch (IllegalArgumentException notALimit) {
      warn(lookup, "returned a text that is no limit"); // which may have the subject in it
      return Optional.empty();
    }
    Limit own = lookup.limit.limit();
    if (limit.algorithm() == own.algorithm()) {
      return Optional.of(limit);
    }
    warn(lookup, "returned a %s for a %s".formatted(name(limit), name(own)));
    return Optional.empty();
  }

  private static String name(Limit limit) {
    return limit.algorithm().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private synchronized void remember(Lookup lookup, Optional<Numbers> found, long dueNanos) {
    CounterKey key = lookup.key;
    if (found.isEmpty()) {
      known.computeIfPresent(key, (same, last) -> new Numbers(last.limit, dueNanos));
      others.computeIfPresent(key, (same, last) -> new Numbers(last.limit, dueNanos));
      return;
    }
    boolean hasOwn = found.get().limit.isPresent();
    (hasOwn ? known : others).put(key, found.get());
    (hasOwn ? others : known).remove(key);
  }

  private synchronized void end(Lookup lookup) {
    pending.remove(lookup.key);
    if (lookup.address.isPresent()) {
      int left = pendingOf.getOrDefault(lookup.address.get(), 1) - 1;
      if (left == 0) {
        pendingOf.remove(lookup.address.get());
      } else {
        pendingOf.put(lookup.address.get(), left);
      }
    }
  }

  /** Returns how many subjects are remembered. */
  synchronized int remembered() {
    return known.size() + others.size();
  }

  /** Warns once a minute about each limit, without the subject. */
  private void warn(Lookup lookup, String why) {
    String name = lookup.limit.name();
    long now = ticker.nanoTime();
    int suppressed;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      Warnings last = warnings.getOrDefault(name, new Warnings(now, 0));
      if (now - last.dueNanos < 0) {
        warnings.put(name, new Warnings(last.dueNanos, last.suppressed + 1));
        return;
      }
      suppressed = last.suppressed;
      warnings.put(name, new Warnings(now + MINUTE_NANOS, 0));
    }
    String more = suppressed == 0 ? "" : " (suppressed since the last warning: " + suppressed + ")";
    LOG.log(
        Level.WARNING,
        "limit '%s': %s %s: the numbers that were last known apply, or else those of the limit%s"
            .formatted(name, lookup.function.getClass().getName(), why, more));
  }

  /** Interrupts functions that run, and calls none any more. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    ofKnown.stop.run();
    ofOthers.stop.run();
  }
}

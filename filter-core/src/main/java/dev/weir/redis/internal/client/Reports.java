package dev.weir.redis.internal.client;

import dev.weir.internal.store.DaemonThreads;
import dev.weir.internal.store.GuardedListener;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The reports of a store to the log and the listener: lines for transitions, none for a request. A
 * thread of its own writes the lines, in order, because a log may block and the thread of a request
 * may find the reason. It also counts the batches and calls sent to all primaries since the store
 * was opened.
 */
public final class Reports {

  private static final Logger LOG = System.getLogger("dev.weir.redis.RedisLimitStore");
  private static final int MOST_BUGS = 20;
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration CLOSING = Duration.ofMillis(400);

  private final LimiterListener listener;
  private final Optional<String> node;
  private final DaemonThreads threads = new DaemonThreads("weir-redis-log");
  private final ThreadPoolExecutor lines;
  private final Set<String> bugs = ConcurrentHashMap.newKeySet();
  private final Set<String> missing = ConcurrentHashMap.newKeySet();
  private final LongAdder batches = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final OutageLog outages = new OutageLog(Ticker.system());

  /** Creates reports whose lines name no node. */
  public Reports(LimiterListener listener) {
    this(listener, Optional.empty());
  }

  /**
   * Creates reports to this listener.
   *
   * @param node ends each line, because one log may have those of several nodes
   */
  public Reports(LimiterListener listener, Optional<String> node) {
    this.listener = GuardedListener.of(listener);
    this.node = node;
    lines =
        new ThreadPoolExecutor(
            1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), threads);
    lines.allowCoreThreadTimeOut(true);
  }

  private void log(Level level, String line, Object... values) {
    String text = node.map(id -> line + " [node {" + values.length + "}]").orElse(line);
    Object[] all = Stream.concat(Arrays.stream(values), node.stream()).toArray();
    log(() -> LOG.log(level, text, all));
  }

  private void log(Runnable line) {
    try {
      lines.execute(line);
    } catch (RejectedExecutionException | OutOfMemoryError e) { // closed, or without a thread
      line.run();
    }
  }

  private void log(List<OutageLog.Line> all) {
    all.forEach(line -> log(line.level(), "{0}", line.text()));
  }

  /** Waits until all lines are written, for a short time at most. */
  public void close() {
    lines.shutdown();
    threads.await(lines, CLOSING);
  }

  public LimiterListener listener() {
    return listener;
  }

  /** Counts a batch that is sent. */
  void sent(int callsOfBatch) {
    batches.increment();
    calls.add(callsOfBatch);
  }

  public long batches() {
    return batches.sum();
  }

  public long calls() {
    return calls.sum();
  }

  /** Reports what an operator should change. */
  public void warning(String line) {
    log(Level.WARNING, "{0}", line);
  }

  /** Reports that a primary is out, after so many decisions without it so far. */
  public void outageBegan(String primary, String why, long decidedWithout) {
    log(outages.began(primary, why, decidedWithout));
    listener.onStoreSwitched(Source.LOCAL, primary + ": " + why);
  }

  /** Reports a reason of an outage that says more than the one before. */
  public void outageExplained(String primary, OutageReason why) {
    log(outages.explained(primary, why.toString()));
  }

  public void outageEnded(String primary, long decidedWithout) {
    log(outages.ended(primary, decidedWithout));
    listener.onStoreSwitched(Source.REDIS, primary + ": writes succeed again");
  }

  /** Reports that a primary that was unavailable is no longer needed. */
  void retired(String primary) {
    outages.forget(primary);
    log(Level.INFO, "Redis at {0} keeps no keys of ours any more", primary);
    listener.onStoreSwitched(Source.REDIS, primary + ": others have taken over");
  }

  void probed(String primary, boolean succeeded, String detail) {
    log(outages.continued(primary));
    listener.onProbe(succeeded, primary + ": " + detail);
  }

  /**
   * Reports that Redis refuses a command. Only one feature needs it, which is switched off. The
   * first of each kind is reported.
   */
  public void missingRight(String command, String instead, Throwable refused) {
    if (missing.add(command)) {
      log(Level.WARNING, "Redis refuses {0} ({1}): {2}", command, reason(refused), instead);
    }
  }

  /** Reports that keys are spread over several servers, by the first key of a call. */
  void sharded(String primary, String unit) {
    log(
        Level.WARNING,
        "{0} is a proxy that sends each call to one of several servers, by its first key. All limits"
            + " hold: each call has {1} now, and several limits of a request are charged one after"
            + " the other, with refunds. Connect to Redis itself to charge them at once, and in"
            + " batches",
        primary,
        unit);
  }

  /** Records that further refunds, releases or commits have failed. Each doubling is reported. */
  public void adjustmentsLost(long before, long more) {
    long all = before + more;
    if (Long.highestOneBit(all) != Long.highestOneBit(before)) {
      log(
          Level.WARNING,
          "Refunds, releases and commits that did not reach Redis since the start: {0}",
          all);
    }
  }

  /** Starts a refund. A failure here does not affect a waiting thread. */
  void guarded(Runnable refund) {
    try {
      refund.run();
    } catch (RuntimeException | Error e) {
      listener.onError("redis: a refund could not begin", e);
    }
  }

  /** Reports an error after a call had its reply, which counts even if the listener fails too. */
  void errorAfterReply(Error error) {
    try {
      listener.onError("redis: after the reply to a call", error);
    } catch (Error again) { // for example, no memory is left
      error.addSuppressed(again);
    }
  }

  /**
   * Reports an exception that no server causes. The listener is notified of each; the log has the
   * stack of the first of its kind.
   */
  void notConnected(String primary, Throwable error) {
    String line = "Connecting to Redis at " + primary + " failed unexpectedly: " + reason(error);
    if (bugs.size() < MOST_BUGS && bugs.add(line)) {
      log(() -> LOG.log(Level.ERROR, line, error));
    }
    listener.onError("redis: connecting to " + primary, error);
  }

  /** Reports a bug. The listener is notified of each; the log has only the first of its kind. */
  void bug(String script, Throwable error) {
    if (bugs.size() < MOST_BUGS && bugs.add(reason(error))) {
      log(
          Level.ERROR,
          "Script {0} failed, which is a bug. Please report it: {1}",
          script,
          reason(error));
    }
    listener.onError("redis: script " + script + " failed", error);
  }

  /** Returns the reason, with its cure, in one printable line of bounded length. */
  public static String reason(Throwable error) {
    return OutageReason.of(error).toString();
  }
}

package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Looks for primaries, again and again, on a thread of its own: often while one is out, now and
 * then while all is well. Requests wait for its first find at most until their deadline, and not at
 * all once it has looked in vain, or one of them has waited in vain.
 */
final class Scout {

  private static final Duration INTERVAL_IN_TROUBLE = Duration.ofMillis(300);

  private static final String LATE = "not found by the deadline";

  private final String what;
  private final Runnable look;
  private final BooleanSupplier healthy;
  private final Duration interval;
  private final Background background;
  private final Reports reports;
  private final CompletableFuture<Boolean> found = new CompletableFuture<>();
  private final Rounds rounds;
  private volatile @Nullable String trouble;

  /** Whether it was reported that nothing can be found. */
  private boolean lost;

  /**
   * @param what is looked for, as messages name it
   * @param look finds the primaries, or throws
   * @param healthy whether all that was found is well
   * @param interval how often to look while it is
   */
  Scout(String what, Runnable look, BooleanSupplier healthy, Duration interval, Reports reports) {
    this.what = what;
    this.look = look;
    this.healthy = healthy;
    this.interval = interval;
    this.reports = reports;
    background = new Background("weir-redis-scout", reports.listener());
    rounds = new Rounds(background, this::round);
  }

  void start() {
    rounds.start();
  }

  /** What was found may be out of date: looks soon, and from then on as often as is needed. */
  void nudge() {
    rounds.nudge();
  }

  /** Waits for the first find. */
  void await(Deadline deadline) throws StoreUnavailableException {
    if (found.isDone() && !found.isCompletedExceptionally()) {
      return;
    }
    @Nullable String why = trouble;
    if (why != null) {
      throw unavailable(why, null);
    }
    try {
      found.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", e);
    } catch (TimeoutException e) {
      trouble = LATE;
      throw unavailable(LATE, e);
    } catch (ExecutionException e) {
      throw unavailable("closed", e);
    }
  }

  Duration interval() {
    return INTERVAL_IN_TROUBLE;
  }

  private Duration round() {
    try {
      look.run();
      found();
    } catch (RuntimeException e) {
      notFound(Reports.reason(e));
    }
    return trouble == null && healthy.getAsBoolean() ? interval : INTERVAL_IN_TROUBLE;
  }

  private void found() {
    trouble = null;
    found.complete(true);
    if (lost) {
      lost = false;
      reports.found(what);
    }
  }

  private void notFound(String why) {
    trouble = why;
    if (!found.isDone() && !lost) {
      lost = true;
      reports.lost(what, why);
    }
  }

  private StoreUnavailableException unavailable(String why, @Nullable Throwable cause) {
    return new StoreUnavailableException(
        "redis: " + what + ": " + why,
        INTERVAL_IN_TROUBLE,
        new NotSentException(why, Kind.OUTAGE, cause));
  }

  void close() {
    background.close();
    found.completeExceptionally(new JedisException("the store was closed"));
  }

  void join(long millis) throws InterruptedException {
    background.join(millis);
  }
}

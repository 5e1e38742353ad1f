package dev.weir.redis.internal.client;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The circuit breaker of one primary, with its {@link BreakerState}. It is notified of the outcomes
 * of calls, reports when it opens and closes, and probes while it is open.
 *
 * <p>Its lock covers a change of the state and the place of its report among the others. Nothing is
 * called under it: a thread may have to be started for that, and a listener may block.
 */
final class CircuitBreaker {

  /** The actions on the connections to the primary. They run in the background. */
  interface Actions {

    /**
     * Writes as a request would, on a connection of its own. If that succeeds, calls use this
     * connection from now on.
     *
     * @return false while there is nothing to write
     * @throws JedisException unless Redis writes
     */
    boolean probe();

    /**
     * Writes as a request would, without an effect on the connection of calls.
     *
     * @throws JedisException unless Redis writes
     */
    void write();

    /** Fails the waiting calls, because the primary is unavailable. */
    void failWaiting();
  }

  private static final Duration PROBE_INTERVAL = Duration.ofMillis(500);

  /** The time during which a refused script is not doubted again. */
  private static final long DOUBT_NANOS = 10_000_000_000L;

  private final Host primary;
  private final Background background;
  private final Reports reports;
  private final Runnable onTopologySuspect;
  private final Object change = new Object();

  /** The reports of outages. Added under the lock, so they are in the order of the changes. */
  private final InOrder outageReports = new InOrder();

  private final LongAdder decidedWithout = new LongAdder();

  /** The number of decisions without this primary when it last made one, or was back. */
  private volatile long decidedBefore;

  /** The times at which it was last checked whether the server writes, by what gave the doubt. */
  private final Map<String, Long> doubtedNanos = new ConcurrentHashMap<>();

  private volatile BreakerState breaker = BreakerState.closed(System.nanoTime());
  private volatile String trouble = "";

  /** What the log has as the reason of the outage. Guarded by {@link #change}. */
  private @Nullable OutageReason reported;

  /** Null before {@link #start}. */
  private volatile @Nullable Actions actions;

  private volatile boolean closed;

  CircuitBreaker(Host primary, Background background, Reports reports, Runnable onTopologySuspect) {
    this.primary = primary;
    this.background = background;
    this.reports = reports;
    this.onTopologySuspect = onTopologySuspect;
  }

  /** Starts to act. The connections are made after the breaker that they use, and opened later. */
  void start(Actions onConnections) {
    actions = onConnections;
  }

  private Actions actions() {
    return Objects.requireNonNull(actions, "the breaker was not started");
  }

  /** Records a reply of Redis: an error that counts against it, or null. */
  void replied(@Nullable JedisException failure) {
    if (failure != null) {
      failed(failure);
      return;
    }
    decidedBefore = decidedWithout.sum();
    long now = System.nanoTime();
    synchronized (change) {
      breaker = breaker.afterSuccess(now);
    }
  }

  /** Counts a decision that is made without this primary, because it is out. */
  void decidedWithout() {
    decidedWithout.increment();
  }

  /** Records a failure that counts against Redis. While the breaker is open, it is ignored. */
  void failed(JedisException why) {
    if (!isHealthy()) {
      return;
    }
    long now = System.nanoTime();
    fail(why, state -> state.afterFailure(now, delayNanos()));
  }

  /**
   * Records that the server refuses to run a script, or a command of it. If the server does not
   * write at all, that is an outage. Otherwise a right is missing for this script alone, which is
   * reported once. A refusal is checked again after 10 s, whatever came of the last check. So a
   * server that stops writing in between is noticed by this script up to 10 s late.
   */
  void doubted(String script, JedisException why) {
    checkWrites(
        script,
        () ->
            reports.missingRight(
                "the script '" + script + "'",
                "what needs the missing right is decided by its on-outage, all else by Redis"
                    + " (expected: the rights that docs/redis.md lists)",
                why));
  }

  /**
   * Records that decisions were not made, and that the replies may not show why. If the server does
   * not write at all, that is an outage.
   */
  void doubted(String decisions) {
    checkWrites(decisions, () -> {});
  }

  private void checkWrites(String doubt, Runnable ifItWrites) {
    long now = System.nanoTime();
    @Nullable Long before = doubtedNanos.get(doubt);
    if (closed || !isHealthy() || (before != null && now - before < DOUBT_NANOS)) {
      return;
    }
    doubtedNanos.put(doubt, now);
    background.later(
        Duration.ZERO,
        () -> {
          try {
            actions().write();
            ifItWrites.run();
          } catch (JedisException e) {
            doubtedNanos.remove(doubt);
            open(e);
          }
        });
  }

  /** Opens the breaker at once, because this one error proves that nothing can be decided. */
  void open(JedisException why) {
    long firstProbeNanos = System.nanoTime() + delayNanos();
    fail(why, state -> state.afterProof(firstProbeNanos));
  }

  private void fail(JedisException why, UnaryOperator<BreakerState> step) {
    if (closed) {
      return;
    }
    OutageReason reason = OutageReason.of(why);
    trouble = reason.toString();
    if (opens(step, reason)) {
      background.later(
          Duration.ZERO,
          () -> { // waking all waiting threads takes a while, and a log may take as long
            actions().failWaiting();
            outageReports.run();
          });
      reportIfSetup(why);
      onTopologySuspect.run();
      return;
    }
    explain(why);
    if (ErrorKind.of(why) == ErrorKind.DEMOTED) {
      onTopologySuspect.run();
    }
  }

  private boolean opens(UnaryOperator<BreakerState> step, OutageReason reason) {
    BreakerState before;
    BreakerState after;
    boolean hasOpened;
    synchronized (change) {
      before = breaker;
      after = step.apply(before);
      breaker = after;
      hasOpened = before instanceof BreakerState.Closed && after instanceof BreakerState.Open;
      if (hasOpened) {
        reported = reason;
        long decided = decidedBefore;
        outageReports.add(
            () -> reports.outageBegan(primary.toString(), reason.toString(), decided));
      }
    }
    scheduleProbe(before, after);
    return hasOpened;
  }

  /** Reports wrong credentials, rights or commands. An operator must act. */
  private void reportIfSetup(JedisException why) {
    if (ErrorKind.of(why).isSetup()) {
      background.later(
          Duration.ZERO,
          () -> reports.listener().onError("redis: wrong set-up at " + primary, why));
    }
  }

  /** Reports a failure during an outage if it says more than the reported one. */
  private void explain(JedisException why) {
    OutageReason reason = OutageReason.of(why);
    synchronized (change) {
      if (isHealthy() || reported == null || !reason.saysMoreThan(reported)) {
        return;
      }
      reported = reason;
      outageReports.add(() -> reports.outageExplained(primary.toString(), reason));
    }
    background.later(Duration.ZERO, outageReports::run);
    reportIfSetup(why);
  }

  /** Schedules the next probe, after an opening and after each probe. */
  private void scheduleProbe(BreakerState before, BreakerState after) {
    if (after instanceof BreakerState.Open open && !open.equals(before)) {
      background.later(Duration.ofNanos(open.nextProbeNanos() - System.nanoTime()), this::probe);
    }
  }

  /** Runs a probe. The next one is scheduled while the breaker is open, even after an Error. */
  private void probe() {
    boolean wrote = false;
    try {
      wrote = actions().probe();
    } catch (JedisException e) {
      trouble = Reports.reason(e);
      explain(e);
    } catch (RuntimeException e) {
      trouble = Reports.reason(e);
    } finally {
      probed(wrote);
    }
  }

  private void probed(boolean wrote) {
    long now = System.nanoTime();
    BreakerState before;
    BreakerState after;
    synchronized (change) {
      before = breaker;
      after = before.afterProbe(wrote, now, delayNanos());
      breaker = after;
      if (before instanceof BreakerState.Open && after instanceof BreakerState.Closed) {
        long all = decidedWithout.sum();
        decidedBefore = all;
        outageReports.add(() -> reports.outageEnded(primary.toString(), all));
      }
    }
    scheduleProbe(before, after);
    outageReports.run();
    reports.probed(primary.toString(), wrote, wrote ? "wrote" : trouble);
  }

  private static long delayNanos() {
    return Background.jittered(PROBE_INTERVAL).toNanos();
  }

  /** Returns whether calls may be made. */
  boolean isHealthy() {
    return breaker instanceof BreakerState.Closed;
  }

  BreakerState breaker() {
    return breaker;
  }

  /** Returns the reason for the last failure. */
  String trouble() {
    return trouble;
  }

  /** Returns the time until the next probe, or until the first one after an opening. */
  Duration nextProbe() {
    if (breaker instanceof BreakerState.Open open) {
      long nanos = open.nextProbeNanos() - System.nanoTime();
      return Duration.ofNanos(Math.max(nanos, 1_000_000L));
    }
    return PROBE_INTERVAL;
  }

  /** Closes the breaker for good. Later failures are a result of this close, and are ignored. */
  void close() {
    closed = true;
  }
}

package dev.weir.redis;

import dev.weir.redis.internal.client.Background;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.client.PrimarySettings.UnsettledCalls;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Adjustments of counters in the background. They follow a reply after the caller's deadline, a
 * call without a reply, and an adjustment that could not be sent in time.
 *
 * <ul>
 *   <li>Consumed permits are refunded, or reconciled, at most once. A refund is tried again only
 *       while no earlier attempt can have reached Redis. A second refund could return permits that
 *       another request has consumed since.
 *   <li>Held permits are released by their id, which may be repeated. The release is repeated until
 *       it has found them, or until Redis has replied twice that they are not there. At the first
 *       time, the call that acquires them may still be in flight. It is repeated however long Redis
 *       stalls: the call may run, and hold its permits, when Redis goes on.
 * </ul>
 *
 * <p>Any other adjustment is tried until its counter has recovered by itself. At most {@link
 * #MOST_WAITING} releases wait, and as many other adjustments. Further ones are not accepted.
 * Adjustments that fail are counted and reported. Releases have threads of their own, since no
 * request can acquire their permits before that.
 *
 * <p>Thread-safe; the threads exist only while there is work.
 */
final class Refunds implements UnsettledCalls {

  static final int MOST_WAITING = 10_000;

  /** The threads of each kind. Each waits for a round trip, and their calls share batches. */
  private static final int THREADS = 8;

  /** The longest debt. Spending beyond a grant lasts longer than the grant, but not for ever. */
  private static final Duration LONGEST_DEBT = Duration.ofDays(1);

  private static final int REPLIES_ENOUGH = 2;
  private static final int TRIES = 12;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** Sends one adjustment, and waits for the reply. */
  interface Sender {

    /**
     * Reconciles a grant with the permits spent, or refunds it if there are none. Returns the
     * number of counters that a refund has changed.
     */
    long send(Grant granted, OptionalLong spent, Deadline due) throws StoreUnavailableException;
  }

  /** The adjustments that are not complete, and their threads. */
  private record Queue(Background threads, AtomicInteger waiting) {}

  private final Duration deadline;
  private final Reports reports;
  private final Queue refunds;
  private final Queue releases;
  private final AtomicLong lost = new AtomicLong();
  private volatile @Nullable Sender sender;

  /**
   * @param deadline of each call; also the pause after the first attempt, which doubles with each
   */
  Refunds(Duration deadline, Reports reports) {
    this.deadline = deadline;
    this.reports = reports;
    refunds = queue("weir-redis-refund", reports);
    releases = queue("weir-redis-release", reports);
  }

  private static Queue queue(String name, Reports reports) {
    return new Queue(new Background(name, THREADS, reports.listener()), new AtomicInteger());
  }

  /**
   * Starts to send. The clients of the primaries, by which the sender sends, have these refunds for
   * what they leave unsettled. So they are made before it.
   */
  void start(Sender by) {
    sender = by;
  }

  /** Refunds and releases the grants of a reply that came after its caller's deadline. */
  @Override
  public void addLate(ScriptCall call, List<Long> reply) {
    if (!call.unsettled().isEmpty() && !DecisionReply.isOutside(reply)) {
      List<Charge> charges = call.unsettled().stream().map(Grant::charge).toList();
      add(DecisionReply.of(charges, reply).grants());
    }
  }

  /**
   * Releases the permits that a call without a reply may hold.
   *
   * <p>What a charge without a reply may have consumed stays charged. It may never have been
   * charged, and a refund would then admit more than the limit. What a refund without a reply would
   * have returned is lost: a second one could return permits that others have consumed since.
   */
  @Override
  public void addUnknown(ScriptCall call) {
    addHeld(call.unsettled());
    if (!call.operation().isCharging()) {
      lost(call.unsettled().stream().filter(grant -> !grant.isHeld()).count());
    }
  }

  /** Refunds and releases the grants of a posted refund that was not run. */
  @Override
  public void addUnsent(ScriptCall call) {
    add(call.unsettled());
  }

  /** Refunds and releases grants. Returns whether all of them were accepted. */
  boolean add(List<Grant> grants) {
    return add(grants, OptionalLong.empty());
  }

  /** Releases the held permits of these grants. The first release may not have arrived. */
  boolean addHeld(List<Grant> grants) {
    return add(grants.stream().filter(Grant::isHeld).toList());
  }

  /** Reconciles grants with the permits spent of each. Returns whether all were accepted. */
  boolean addReconcile(List<Grant> grants, long spent) {
    return add(grants, OptionalLong.of(spent));
  }

  private boolean add(List<Grant> grants, OptionalLong spent) {
    boolean areAccepted = true;
    for (Grant grant : grants) {
      Task task = new Task(grant, spent);
      AtomicInteger waiting = task.queue.waiting();
      if (waiting.incrementAndGet() > MOST_WAITING
          || !task.queue.threads().later(Duration.ZERO, task)) {
        waiting.decrementAndGet();
        lost(1);
        areAccepted = false;
      }
    }
    return areAccepted;
  }

  /** Returns the time during which an adjustment is useful, which is longer for a debt. */
  static Duration debt(Grant grant, long spent) {
    Duration granted = grant.charge().counter().limit().timeToFull();
    if (spent <= grant.charge().permits() || granted.compareTo(LONGEST_DEBT) >= 0) {
      return granted;
    }
    double times = (double) spent / Math.max(1, grant.charge().permits());
    double nanos = Math.min((double) LONGEST_DEBT.toNanos(), times * granted.toNanos());
    return Duration.ofNanos((long) nanos);
  }

  private void lost(long number) {
    if (number > 0) {
      reports.adjustmentsLost(lost.getAndAdd(number), number);
    }
  }

  /** Returns the number of adjustments that are not complete. */
  int waiting() {
    return refunds.waiting().get() + releases.waiting().get();
  }

  /** Closes the queues. Waiting adjustments are lost. */
  void close() {
    lost(waiting());
    refunds.threads().close();
    releases.threads().close();
  }

  void join(long millis) throws InterruptedException {
    refunds.threads().join(millis);
    releases.threads().join(millis);
  }

  /** An adjustment that is tried until it is complete. */
  private final class Task implements Runnable {

    private final Grant grant;
    private final OptionalLong spent;

    /**
     * Whether it is a refund of held permits, which may be sent again when Redis may have run it.
     */
    private final boolean isRelease;

    private final Queue queue;
    private final long recoveryNanos;
    private final long beganNanos = System.nanoTime();
    private long pauseNanos = deadline.toNanos();

    /** How often Redis has replied that it has nothing to release. */
    private int replies;

    Task(Grant grant, OptionalLong spent) {
      this.grant = grant;
      this.spent = spent;
      isRelease = spent.isEmpty() && grant.isHeld();
      queue = isRelease ? releases : refunds;
      recoveryNanos = debt(grant, spent.orElse(0)).toNanos();
    }

    @Override
    public void run() {
      boolean isOver = true;
      try {
        isOver = tryOnce();
      } finally {
        if (isOver) {
          queue.waiting().decrementAndGet();
        }
      }
      if (isOver) {
        return;
      }
      // The pause doubles each time. A release that is tried for longer than permits are held waits
      // for the end of an outage, and is not urgent.
      Duration pause = Duration.ofNanos(pauseNanos);
      long longest =
          hasRecovered()
              ? LONGEST_PAUSE.toNanos()
              : Math.min(recoveryNanos / TRIES, LONGEST_PAUSE.toNanos());
      pauseNanos = Math.max(pauseNanos, Math.min(2 * pauseNanos, longest));
      queue.threads().later(pause, this);
    }

    /** Tries once. Returns whether it is complete, or lost. */
    private boolean tryOnce() {
      @Nullable Sender by = sender;
      try {
        if (by != null) {
          boolean isFound = by.send(grant, spent, Deadline.after(deadline)) > 0;
          if (isFound || !isRelease || ++replies == REPLIES_ENOUGH) {
            return true;
          }
        }
      } catch (StoreUnavailableException e) {
        if (!isRelease && !NotSentException.isCauseOf(e)) {
          lost(1); // Redis may have run it
          return true;
        }
      }
      if (isRelease || !hasRecovered()) {
        return false;
      }
      lost(1);
      return true;
    }

    private boolean hasRecovered() {
      return System.nanoTime() - beganNanos > recoveryNanos;
    }
  }
}

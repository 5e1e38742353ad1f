package dev.weir.internal.wait;

import dev.weir.TokenLimiter;
import dev.weir.internal.Closing;
import dev.weir.internal.Expect;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.permit.Permits;
import dev.weir.internal.store.Scheduler;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Counter;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Acquires permits of several limits at once, and waits for them without blocking a thread. {@link
 * TokenLimiter} and its like do the same for one limit.
 *
 * <p>A request for one token bucket or leaky bucket is queued in the store, in the order of all
 * nodes. It is denied at once exactly when its permits would come too late. Any other request joins
 * a queue of this node, with those that wait for the same counters. The order is that of arrival,
 * but for requests that arrive within one round trip of each other. All its charges are made
 * together when it runs, and none before.
 *
 * <p>A queued request is denied at once when a counter denies that it does not wait for, when a
 * counter has room too late, or when more is queued before it than is ever granted in time without
 * refunds. Held permits are requested again when a request of the same queue has released some on
 * this node, and ten times a second.
 *
 * <p>During an outage no request waits for a bucket; one that was granted before keeps its permits.
 * Windows are awaited as the fallback counts them.
 *
 * <p>Thread-safe. It has daemon threads while requests wait, and must be closed.
 */
public final class WaitQueues implements AutoCloseable {

  /** How many requests may have one of the {@linkplain #places places} at a time. */
  public static final int MOST_WAITING = 4_000;

  /** The retry-after of a denial without a better one. */
  static final Duration SOON = Duration.ofSeconds(1);

  /**
   * Implemented by a store whose time does not pass by itself, as that of a test. Its limiters wait
   * for permits, and hold them, in the same time.
   */
  public interface VirtualTime {

    /** Returns new queues in this time, for one limiter. */
    WaitQueues waitQueues(Duration deadline);
  }

  /** What all limiters share. It belongs to no application. */
  private static final class OfLimiters {

    private static final Scheduler SCHEDULER = new Scheduler.OneThread("weir-waits");
    private static final Workers REQUESTERS = new Workers("weir-waiting");
    private static final Workers COMPLETERS = new Workers("weir-answers");
  }

  private final PermitManager permitManager;
  private final CounterQueues queues;
  private final List<AutoCloseable> threads;
  final Set<WaitingRequest<?>> open = ConcurrentHashMap.newKeySet();
  private final WaiterLimit places = new WaiterLimit(MOST_WAITING);
  private volatile boolean isClosed;

  /** Creates queues with threads of their own. They do not close the manager. */
  public static WaitQueues of(PermitManager permitManager) {
    Scheduler scheduler = new Scheduler.OneThread("weir-waits");
    Workers requesters = new Workers("weir-waiting");
    Workers completers = new Workers("weir-answers");
    return new WaitQueues(
        permitManager,
        new CounterQueues(scheduler, requesters, completers),
        List.of(scheduler, requesters, completers));
  }

  /** With queues of the caller's own, which this does not close. */
  public WaitQueues(PermitManager permitManager, CounterQueues queues) {
    this(permitManager, queues, List.of());
  }

  private WaitQueues(
      PermitManager permitManager, CounterQueues queues, List<AutoCloseable> threads) {
    this.permitManager = Objects.requireNonNull(permitManager, "permitManager");
    this.queues = queues;
    this.threads = threads;
  }

  /** For limiters, which are not closed: all of them share threads, but for those of a test. */
  public static WaitQueues forLimiter(LimitStore store, Duration deadline) {
    if (store instanceof VirtualTime test) {
      return test.waitQueues(deadline);
    }
    return new WaitQueues(
        PermitManager.of(store, deadline, LimiterListener.NONE),
        new CounterQueues(OfLimiters.SCHEDULER, OfLimiters.REQUESTERS, OfLimiters.COMPLETERS));
  }

  /** The same queues, with another deadline or listener. */
  public WaitQueues with(PermitManager newPermitManager) {
    return new WaitQueues(newPermitManager, queues, threads);
  }

  /** Decides at once, as {@link PermitManager#decide} does. */
  public Permits decide(AcquireRequest request) {
    return permitManager.decide(request);
  }

  /**
   * Decides, at once or later. The store is called on this thread, by the request's deadline, once
   * or twice. Later it is called on threads of this object, where the future completes as well.
   * Dependents of the future delay no queue, but occupy one of a few threads. They must not block
   * for long.
   *
   * <p>To complete the future in any way is to leave: what was granted and not used is refunded,
   * unless a later request was already granted permits behind it. When {@code cancel} returns, the
   * refund has been made. If a call to the store is under way then, its permits are refunded when
   * it ends, and the next request of the queue calls after that. If the permits were being handed
   * over at that instant, they are refunded on the thread that did so.
   *
   * @param request in the mode {@link Mode.Exactly} or {@link Mode.BypassLeases}
   * @param waitedFor those of its counters to wait for: a denial by another one is returned at once
   * @param maxWait how long to wait at most, at least zero; a store that is slow to decide may take
   *     its deadline on top
   * @return the decision; when allowed, use its permits now, and close it in the end
   * @throws IllegalArgumentException when maxWait is negative, or the mode is another
   */
  public CompletableFuture<Permits> decide(
      AcquireRequest request, Set<Counter> waitedFor, Duration maxWait) {
    Mode.Within within = new Mode.Within(maxWait);
    List<Charge> waited =
        request.charges().stream()
            .filter(charge -> waitedFor.stream().anyMatch(charge.counter()::isSameAs))
            .toList();
    if (!(request.mode() instanceof Mode.Exactly || request.mode() instanceof Mode.BypassLeases)) {
      throw Expect.failure("mode", request.mode(), "Exactly or BypassLeases");
    }
    if (waited.isEmpty()) {
      return CompletableFuture.completedFuture(decide(request));
    }
    return begin(request, waited, within, Function.identity());
  }

  /** Waits for all of its charges, and converts the result. */
  public <T> CompletableFuture<T> decide(
      AcquireRequest request, Duration maxWait, Function<Permits, T> form) {
    return begin(request, request.charges(), new Mode.Within(maxWait), form);
  }

  private <T> CompletableFuture<T> begin(
      AcquireRequest request,
      List<Charge> waitedFor,
      Mode.Within within,
      Function<Permits, T> form) {
    if (isClosed) {
      return CompletableFuture.completedFuture(form.apply(decide(request)));
    }
    List<Charge> charges = request.charges();
    boolean isQueuedInStore =
        charges.size() == 1 && charges.get(0).counter().limit().algorithm().isReservable();
    WaitingRequest<T> wait =
        isQueuedInStore
            ? new WaitingRequest<>(this, request.in(within), within.maxWait(), form)
            : new QueuedWait<>(this, request, waitedFor, within.maxWait(), form);
    CompletableFuture<T> result = wait.begin();
    if (isClosed) {
      wait.abandon();
    }
    return result;
  }

  /**
   * Returns the limit of waiting requests. A caller that must bound them takes a place before each
   * wait, and leaves it afterwards. Nothing else takes one.
   */
  public WaiterLimit places() {
    return places;
  }

  /**
   * Runs a task after a delay, on a thread of this object that may block for a store. Does nothing
   * once this is closed.
   *
   * @return cancels the task, unless it has begun
   */
  public Runnable runIn(Duration delay, Runnable task) {
    return queues.requestIn(delay, task)::cancel;
  }

  /** Returns how many requests are being decided now, nearly all of which wait. */
  public int waiting() {
    return open.size();
  }

  /**
   * Denies all waiting requests, and lets no more wait. What they were granted in advance stays
   * spent. Idempotent.
   */
  @Override
  public void close() {
    isClosed = true;
    List<AutoCloseable> parts = new ArrayList<>();
    for (WaitingRequest<?> wait : open) {
      parts.add(wait::abandon);
    }
    parts.addAll(threads);
    Closing.all(parts);
  }

  public PermitManager permitManager() {
    return permitManager;
  }

  public CounterQueues queues() {
    return queues;
  }
}

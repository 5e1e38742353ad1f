package dev.weir.internal.permit;

import dev.weir.internal.store.Scheduler;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Renews held permits when they are due, together with those that will be due soon. So a node that
 * holds thousands renews them in a few calls.
 *
 * <p>It refers to them weakly: permits of a request that never ended are collected with the
 * request, and then expire in the store.
 *
 * <p>Thread-safe.
 */
public final class PermitRenewals {

  public static final int MOST_TOGETHER = 200;

  /** Redis keeps each permit by itself, and takes about 20 µs to renew one: 5 ms for so many. */
  public static final int MOST_PERMITS = 200;

  /** Each is read and written separately, in one script that blocks Redis. */
  public static final int MOST_OF_ONE_COUNTER = 8;

  /** What is renewed together has one deadline for each counter, but no more than this many. */
  public static final int MOST_DEADLINES = 20;

  /** Permits that are due within this part of their delay are renewed early, with others. */
  private static final int EARLY = 10;

  private record Due(
      long nanos, long earlyNanos, long number, WeakReference<HeldPermits> permits) {}

  private final LimitStore store;
  private final Duration deadline;
  private final LimiterListener listener;
  private final Scheduler scheduler;
  private final Ticker ticker;
  private final NavigableSet<Due> due = new TreeSet<>(PermitRenewals::compare);
  private Scheduler.Pending next = Scheduler.Pending.NONE;
  private long number;

  /**
   * @param store grants and renews, and is not closed by this
   * @param deadline by which a renewal of one counter and a release are answered
   * @param scheduler runs renewals, and is not closed by this
   */
  public PermitRenewals(
      LimitStore store,
      Duration deadline,
      LimiterListener listener,
      Scheduler scheduler,
      Ticker ticker) {
    this.store = store;
    this.deadline = deadline;
    this.listener = listener;
    this.scheduler = scheduler;
    this.ticker = ticker;
  }

  /** Readings of a clock that may overflow are compared by difference. */
  private static int compare(Due one, Due other) {
    return one.nanos == other.nanos
        ? Long.compare(one.number, other.number)
        : Long.signum(one.nanos - other.nanos);
  }

  long nanoTime() {
    return ticker.nanoTime();
  }

  void lost(Receipt held) {
    listener.onPermitsLost(held);
  }

  void failed(RuntimeException bug) {
    listener.onError("a permit could not be renewed", bug);
  }

  /**
   * Renews permits now, by one deadline for each counter, and a bounded number of them: a store may
   * have to ask in many places, one after the other.
   *
   * @return false when one of them has expired
   */
  boolean renew(Receipt held) throws StoreUnavailableException {
    int deadlines = Math.min(held.grants().size(), MOST_DEADLINES);
    return store.adjust(
        new Adjustment.Renew(held), Deadline.after(deadline.multipliedBy(deadlines)));
  }

  void release(Receipt held) throws StoreUnavailableException {
    store.adjust(new Adjustment.Refund(held), Deadline.after(deadline));
  }

  Scheduler.Pending retryIn(Duration delay, Runnable task) {
    return scheduler.in(delay, task);
  }

  /** Renews permits after this delay, or a little sooner, unless that is cancelled before. */
  synchronized Scheduler.Pending in(Duration delay, HeldPermits held) {
    long nanos = delay.toNanos();
    Due one = new Due(nanoTime() + nanos, nanos / EARLY, ++number, new WeakReference<>(held));
    due.add(one);
    if (due.first().equals(one)) {
      awaitFirst();
    }
    return () -> cancel(one);
  }

  private synchronized void cancel(Due one) {
    due.remove(one);
    if (due.isEmpty()) {
      next.cancel();
    }
  }

  private void awaitFirst() {
    next.cancel();
    long nanos = Math.max(0, due.first().nanos - nanoTime());
    next = scheduler.in(Duration.ofNanos(nanos), this::renewDue);
  }

  private void renewDue() {
    Collection<List<HeldPermits>> bySource =
        take().stream().collect(Collectors.groupingBy(HeldPermits::source)).values();
    bySource.forEach(all -> batches(all).forEach(this::renewAll));
  }

  /** As few batches as possible with at most so many of one counter. */
  private static List<List<HeldPermits>> batches(List<HeldPermits> all) {
    List<List<HeldPermits>> batches = new ArrayList<>();
    Map<Counter, Integer> before = new HashMap<>();
    for (HeldPermits held : all) {
      int batch = 0;
      for (Receipt.Grant grant : held.receipt().grants()) {
        int of = before.merge(grant.charge().counter(), 1, Integer::sum) - 1;
        batch = Math.max(batch, of / MOST_OF_ONE_COUNTER);
      }
      while (batches.size() <= batch) {
        batches.add(new ArrayList<>());
      }
      batches.get(batch).add(held);
    }
    return batches.stream().filter(batch -> !batch.isEmpty()).toList();
  }

  private synchronized List<HeldPermits> take() {
    long nowNanos = nanoTime();
    List<HeldPermits> taken = new ArrayList<>();
    long room = MOST_PERMITS;
    while (taken.size() < MOST_TOGETHER && isFirstDue(nowNanos)) {
      HeldPermits held = due.first().permits.get();
      if (held != null && held.permits() > room && !taken.isEmpty()) {
        break; // it is first in the next call
      }
      due.pollFirst();
      if (held != null) {
        taken.add(held);
        room -= held.permits();
      }
    }
    if (!due.isEmpty()) {
      awaitFirst();
    }
    return taken;
  }

  private boolean isFirstDue(long nowNanos) {
    return !due.isEmpty() && due.first().nanos - due.first().earlyNanos - nowNanos <= 0;
  }

  /**
   * Renews them in one call. If some have expired, the halves are renewed to find which. If the
   * outcome is unknown, each is renewed in a call of its own, so that an unresponsive primary
   * delays only its own for long.
   */
  private void renewAll(List<HeldPermits> all) {
    if (all.size() == 1) {
      all.get(0).renew();
      return;
    }
    long askedNanos = nanoTime();
    try {
      if (renew(together(all))) {
        all.forEach(held -> held.renewed(askedNanos));
      } else {
        renewAll(all.subList(0, all.size() / 2));
        renewAll(all.subList(all.size() / 2, all.size()));
      }
    } catch (StoreUnavailableException unknown) {
      all.forEach(HeldPermits::renew);
    } catch (RuntimeException bug) {
      failed(bug);
      all.forEach(HeldPermits::renew);
    }
  }

  private static Receipt together(List<HeldPermits> all) {
    List<Receipt.Grant> grants =
        all.stream().flatMap(held -> held.receipt().grants().stream()).toList();
    return new Receipt(all.get(0).source(), grants);
  }
}

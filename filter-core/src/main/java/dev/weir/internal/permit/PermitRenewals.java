package dev.weir.internal.permit;

import dev.weir.internal.store.Scheduler;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.StoreUnavailableException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renews held permits when they are due, together with those that will be due soon. So a node that
 * holds thousands renews them in a few calls. Each has its own result.
 *
 * <p>It refers to them weakly: permits of a request that never ended are collected with the
 * request, and then expire in the store.
 *
 * <p>Thread-safe.
 */
final class PermitRenewals {

  /** Redis keeps each permit by itself, and takes about 20 µs to renew one: 5 ms for so many. */
  static final int MOST_PERMITS = 200;

  /** What is renewed together has one deadline for each counter, but no more than this many. */
  static final int MOST_DEADLINES = 20;

  /** Permits that are due within this part of their delay are renewed early, with others. */
  private static final int EARLY = 10;

  private record Due(
      long nanos, long earlyNanos, long number, WeakReference<HeldPermits> permits) {}

  private final PermitManager manager;
  private final NavigableSet<Due> due = new TreeSet<>(PermitRenewals::compare);
  private Scheduler.Pending next = Scheduler.Pending.NONE;
  private long number;

  PermitRenewals(PermitManager manager) {
    this.manager = manager;
  }

  /** Readings of a clock that may overflow are compared by difference. */
  private static int compare(Due one, Due other) {
    return one.nanos == other.nanos
        ? Long.compare(one.number, other.number)
        : Long.signum(one.nanos - other.nanos);
  }

  /** Renews permits after this delay, or a little sooner, unless that is cancelled before. */
  synchronized Scheduler.Pending in(Duration delay, HeldPermits held) {
    long nanos = delay.toNanos();
    Due one =
        new Due(manager.nanoTime() + nanos, nanos / EARLY, ++number, new WeakReference<>(held));
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
    long nanos = Math.max(0, due.first().nanos - manager.nanoTime());
    next =
        manager.scheduler.in(
            Duration.ofNanos(nanos),
            () ->
                takeDue().stream()
                    .collect(Collectors.groupingBy(held -> held.receipt.source()))
                    .values()
                    .forEach(this::renew));
  }

  private synchronized List<HeldPermits> takeDue() {
    long nowNanos = manager.nanoTime();
    List<HeldPermits> taken = new ArrayList<>();
    long room = MOST_PERMITS;
    while (!due.isEmpty() && due.first().nanos - due.first().earlyNanos - nowNanos <= 0) {
      @Nullable HeldPermits held = due.first().permits.get();
      if (held != null) {
        room -= held.permits();
        if (room < 0 && !taken.isEmpty()) {
          break; // it is first in the next call
        }
        taken.add(held);
      }
      due.pollFirst();
    }
    if (!due.isEmpty()) {
      awaitFirst();
    }
    return taken;
  }

  /**
   * Renews permits of one source in one call. If the outcome is unknown, each is renewed in a call
   * of its own, so that an unresponsive primary delays only its own for long. A call has one
   * deadline for each counter, and a bounded number of them: a store may have to call many places,
   * one after the other.
   */
  private void renew(List<HeldPermits> all) {
    List<Receipt.Grant> grants =
        all.stream().flatMap(held -> held.receipt.grants().stream()).toList();
    Duration time = manager.deadline.multipliedBy(Math.min(grants.size(), MOST_DEADLINES));
    Adjustment renewal = new Adjustment.Renew(new Receipt(all.get(0).receipt.source(), grants));
    Set<Receipt.Grant> ended;
    long sentNanos = manager.nanoTime();
    try {
      ended = manager.store.adjust(renewal, Deadline.after(time));
    } catch (StoreUnavailableException | RuntimeException unknown) {
      if (unknown instanceof RuntimeException bug) {
        manager.failed(bug);
      }
      renewEach(all);
      return;
    }
    for (HeldPermits held : all) {
      if (Collections.disjoint(held.receipt.grants(), ended)) {
        held.renewed(sentNanos);
      } else {
        held.lose();
      }
    }
  }

  private void renewEach(List<HeldPermits> all) {
    if (all.size() == 1) {
      all.get(0).renewSoonOrLose();
    } else {
      all.forEach(held -> renew(List.of(held)));
    }
  }
}

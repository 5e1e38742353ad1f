package dev.weir;

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
 * Renews leases when they are due, and together with the first of them those that will be soon: a
 * node that holds thousands renews them in a few trips.
 *
 * <p>It keeps none of them alive: the hold of a request that nobody has told the end of goes with
 * the request, and its lease then ends by itself.
 *
 * <p>Thread-safe.
 */
final class Renewals {

  static final int MOST_TOGETHER = 200;

  /** Redis keeps each permit by itself, and takes about 20 µs to renew one: 5 ms for so many. */
  static final int MOST_PERMITS = 200;

  /** Each is read and written for itself, in one script that nobody else gets in between. */
  static final int MOST_OF_ONE_COUNTER = 8;

  /** Who is due within this part of his delay is renewed with those who are due. */
  private static final int EARLY = 10;

  private record Due(
      long nanos,
      long earlyNanos,
      long number,
      WeakReference<Lease> lease,
      HoldingTimes.Running running) {

    /** Readings of a clock that may overflow are compared by difference. */
    static int compare(Due one, Due other) {
      return one.nanos == other.nanos
          ? Long.compare(one.number, other.number)
          : Long.signum(one.nanos - other.nanos);
    }
  }

  private final Holds holds;
  private final NavigableSet<Due> due = new TreeSet<>(Due::compare);
  private Alarm.Pending alarm = () -> {};
  private long number;

  Renewals(Holds holds) {
    this.holds = holds;
  }

  /** Renews a lease after this delay, or a little sooner; never, when it is called off before. */
  synchronized Alarm.Pending in(Duration delay, Lease lease) {
    long nanos = delay.toNanos();
    Due one =
        new Due(
            holds.nanoTime() + nanos,
            nanos / EARLY,
            ++number,
            new WeakReference<>(lease),
            lease.running());
    due.add(one);
    if (due.first().equals(one)) {
      awaitFirst();
    }
    return () -> callOff(one);
  }

  private synchronized void callOff(Due one) {
    due.remove(one);
    if (due.isEmpty()) {
      alarm.callOff();
    }
  }

  private void awaitFirst() {
    alarm.callOff();
    long nanos = Math.max(0, due.first().nanos - holds.nanoTime());
    alarm = holds.alarm().in(Duration.ofNanos(nanos), this::renewDue);
  }

  private void renewDue() {
    Collection<List<Lease>> bySource =
        take().stream().collect(Collectors.groupingBy(Lease::source)).values();
    bySource.forEach(leases -> batches(leases).forEach(this::renew));
  }

  /** As few as there can be with so many of one counter. */
  private static List<List<Lease>> batches(List<Lease> leases) {
    List<List<Lease>> batches = new ArrayList<>();
    Map<Counter, Integer> before = new HashMap<>();
    for (Lease lease : leases) {
      int batch = 0;
      for (Receipt.Grant grant : lease.receipt().grants()) {
        int of = before.merge(grant.charge().counter(), 1, Integer::sum) - 1;
        batch = Math.max(batch, of / MOST_OF_ONE_COUNTER);
      }
      while (batches.size() <= batch) {
        batches.add(new ArrayList<>());
      }
      batches.get(batch).add(lease);
    }
    return batches.stream().filter(batch -> !batch.isEmpty()).toList();
  }

  private synchronized List<Lease> take() {
    long nowNanos = holds.nanoTime();
    List<Lease> taken = new ArrayList<>();
    long permits = 0;
    while (taken.size() < MOST_TOGETHER && permits < MOST_PERMITS && isFirstDue(nowNanos)) {
      Due next = due.pollFirst();
      Lease lease = next.lease.get();
      if (lease == null) {
        next.running.lost();
      } else {
        taken.add(lease);
        permits += lease.permits();
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
   * In one change. When some of them have ended, the halves tell which; when that is unknown, each
   * is renewed by itself, so that a primary that is silent delays nobody but its own for long.
   */
  private void renew(List<Lease> leases) {
    if (leases.size() == 1) {
      leases.get(0).renew();
      return;
    }
    long askedNanos = holds.nanoTime();
    try {
      if (holds.renew(together(leases))) {
        leases.forEach(lease -> lease.renewed(askedNanos));
      } else {
        renew(leases.subList(0, leases.size() / 2));
        renew(leases.subList(leases.size() / 2, leases.size()));
      }
    } catch (StoreUnavailableException unknown) {
      leases.forEach(Lease::renew);
    } catch (RuntimeException bug) {
      holds.failed(bug);
      leases.forEach(Lease::renew);
    }
  }

  private static Receipt together(List<Lease> leases) {
    List<Receipt.Grant> grants =
        leases.stream().flatMap(lease -> lease.receipt().grants().stream()).toList();
    return new Receipt(leases.get(0).source(), grants);
  }
}

package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.store.GuardedListener;
import dev.weir.internal.store.ObservedLimitStore;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The limits of a limiter, in one store. Immutable.
 *
 * @param limits at least one, with different names
 * @param store decides and adjusts, and is not closed
 * @param observed is the same store, and notifies the listener
 * @param waitQueues decides by the observed store
 * @param due has not begun: it begins with each request
 */
record LimiterCore(
    List<NamedLimit> limits,
    LimitStore store,
    LimitStore observed,
    WaitQueues waitQueues,
    Deadline due,
    OnOutage onOutage) {

  private static final Duration DEADLINE = Duration.ofMillis(100);

  /**
   * One of the limits.
   *
   * @param counted returns the subject that this limit counts
   */
  record NamedLimit(String name, Limit limit, UnaryOperator<Subject> counted) {

    NamedLimit {
      Counter.validateName(name);
      Objects.requireNonNull(limit, "limit");
      Objects.requireNonNull(counted, "counted");
    }

    NamedLimit(String name, Limit limit) {
      this(name, limit, UnaryOperator.identity());
    }

    @Override
    public String toString() {
      return name + ": " + limit;
    }
  }

  LimiterCore {
    limits = List.copyOf(limits);
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(onOutage, "onOutage");
    if (limits.isEmpty()) {
      throw Expect.failure("limits", limits, "at least one");
    }
    for (NamedLimit one : limits) {
      if (limits.stream().filter(other -> other.name.equals(one.name)).count() > 1) {
        throw Expect.failure("name", "'" + one.name + "'", "one that no other of the limits has");
      }
    }
  }

  static LimiterCore of(String name, Limit limit, LimitStore store) {
    return of(List.of(new NamedLimit(name, limit)), store);
  }

  static LimiterCore of(List<NamedLimit> limits, LimitStore store) {
    return of(limits, store, WaitQueues.forLimiter(store, DEADLINE));
  }

  static LimiterCore of(List<NamedLimit> limits, LimitStore store, WaitQueues waitQueues) {
    return new LimiterCore(
        limits, store, store, waitQueues, Deadline.within(DEADLINE), OnOutage.LOCAL);
  }

  LimiterCore and(NamedLimit more) {
    List<NamedLimit> all = new ArrayList<>(limits);
    all.add(more);
    return new LimiterCore(all, store, observed, waitQueues, due, onOutage);
  }

  /**
   * @throws IllegalArgumentException when the deadline is not positive
   */
  LimiterCore within(Duration deadline) {
    return new LimiterCore(
        limits,
        store,
        observed,
        waitQueues.with(permitManager().within(deadline)),
        Deadline.within(deadline),
        onOutage);
  }

  LimiterCore reportingTo(LimiterListener listener) {
    LimiterListener guarded = GuardedListener.of(listener);
    LimitStore newObserved =
        listener == LimiterListener.NONE
            ? store
            : new ObservedLimitStore(new PolicyStore(store), guarded);
    WaitQueues newQueues = waitQueues.with(permitManager().over(newObserved, guarded));
    return new LimiterCore(limits, store, newObserved, newQueues, due, onOutage);
  }

  LimiterCore onOutage(OnOutage newOnOutage) {
    return new LimiterCore(limits, store, observed, waitQueues, due, newOnOutage);
  }

  PermitManager permitManager() {
    return waitQueues.permitManager();
  }

  /** Decides now, without holding anything. An outage never throws: the outage policy decides. */
  Decision decide(AcquireRequest request) {
    return decided(observed, request);
  }

  private static Decision decided(LimitStore store, AcquireRequest request) {
    try {
      return store.decide(request);
    } catch (StoreUnavailableException gone) {
      return Decision.uncounted(request.onOutage(), gone.nextProbe());
    }
  }

  AcquireRequest request(Subject subject, long permits, AcquireRequest.Mode mode) {
    return new AcquireRequest(charges(subject, permits), mode, onOutage, due);
  }

  /** Avoids a stream, since every decision creates its charges. */
  List<Charge> charges(Subject subject, long permits) {
    if (permits < 1) {
      throw Expect.failure("permits", permits, "> 0");
    }
    if (limits.size() == 1) {
      return List.of(new Charge(counter(limits.get(0), subject), permits));
    }
    List<Charge> charges = new ArrayList<>(limits.size());
    for (NamedLimit one : limits) {
      charges.add(new Charge(counter(one, subject), permits));
    }
    return charges;
  }

  private static Counter counter(NamedLimit one, Subject subject) {
    return new Counter(one.name, one.limit, one.counted.apply(subject));
  }

  /** Changes the counters of all limits. When a change fails, the others are still made. */
  void adjustEach(Subject subject, Function<Counter, Adjustment> change)
      throws StoreUnavailableException {
    Deadline deadline = due.begun();
    List<StoreUnavailableException> failures = new ArrayList<>();
    for (NamedLimit one : limits) {
      Adjustment adjustment = change.apply(counter(one, subject));
      try {
        store.adjust(adjustment, deadline);
      } catch (StoreUnavailableException failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  String names() {
    return limits.stream().map(NamedLimit::name).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return limits.stream().map(NamedLimit::toString).collect(Collectors.joining(", "));
  }

  /**
   * A store that lets the outage policy of a request decide where it cannot. A listener around it
   * is notified of exactly what the limiter returns.
   */
  private record PolicyStore(LimitStore store) implements LimitStore {

    @Override
    public Decision decide(AcquireRequest request) {
      return decided(store, request);
    }

    @Override
    public Set<Decision.Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
        throws StoreUnavailableException {
      return store.adjust(adjustment, deadline);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}

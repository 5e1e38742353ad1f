package dev.weir;

import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Mode;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One limit in one store, as a {@link Limiter} uses it. Immutable.
 *
 * @param due has not begun: it begins with each request
 */
record LimiterCore(
    String name,
    Limit limit,
    LimitStore store,
    Deadline due,
    OnOutage onOutage,
    WaitQueues waitQueues) {

  private static final Duration DEADLINE = Duration.ofMillis(100);

  LimiterCore {
    Counter.validateName(name);
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(onOutage, "onOutage");
  }

  static LimiterCore of(String name, Limit limit, LimitStore store) {
    return of(
        name,
        limit,
        store,
        WaitQueues.forLimiter(PermitManager.of(store, DEADLINE, LimiterListener.NONE)));
  }

  static LimiterCore of(String name, Limit limit, LimitStore store, WaitQueues waitQueues) {
    return new LimiterCore(
        name, limit, store, Deadline.within(DEADLINE), OnOutage.LOCAL, waitQueues);
  }

  /**
   * @throws IllegalArgumentException when the deadline is not positive
   */
  LimiterCore within(Duration deadline) {
    return new LimiterCore(
        name,
        limit,
        store,
        Deadline.within(deadline),
        onOutage,
        waitQueues.with(permitManager().within(deadline)));
  }

  LimiterCore reportingTo(LimiterListener listener) {
    return new LimiterCore(
        name, limit, store, due, onOutage, waitQueues.with(permitManager().reportingTo(listener)));
  }

  LimiterCore onOutage(OnOutage newOnOutage) {
    return new LimiterCore(name, limit, store, due, newOnOutage, waitQueues);
  }

  PermitManager permitManager() {
    return waitQueues.permitManager();
  }

  Decision decide(Subject subject, long permits, Mode mode) {
    try {
      return store.decide(request(subject, permits, mode));
    } catch (StoreUnavailableException gone) {
      return Decision.uncounted(onOutage, gone.nextProbe());
    }
  }

  AcquireRequest request(Subject subject, long permits, Mode mode) {
    Charge charge = new Charge(counter(subject), permits);
    return new AcquireRequest(List.of(charge), mode, onOutage, due);
  }

  Counter counter(Subject subject) {
    return new Counter(name, limit, subject);
  }

  void adjust(Adjustment adjustment) throws StoreUnavailableException {
    store.adjust(adjustment, due.begun());
  }
}

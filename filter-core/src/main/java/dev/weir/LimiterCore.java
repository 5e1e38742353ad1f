package dev.weir;

import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
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
        WaitQueues.forLimiter(new PermitManager(store, DEADLINE, LimiterListener.NONE)));
  }

  static LimiterCore of(String name, Limit limit, LimitStore store, WaitQueues waitQueues) {
    return new LimiterCore(name, limit, store, due(DEADLINE), OnOutage.LOCAL, waitQueues);
  }

  LimiterCore within(Duration deadline) {
    return new LimiterCore(
        name, limit, store, due(deadline), onOutage, waitQueues.within(deadline));
  }

  LimiterCore onOutage(OnOutage newOnOutage) {
    return new LimiterCore(name, limit, store, due, newOnOutage, waitQueues);
  }

  /**
   * @throws IllegalArgumentException when the deadline is not positive
   */
  static Deadline due(Duration deadline) {
    Expect.positive("deadline", deadline);
    return Deadline.within(deadline);
  }

  Duration deadline() {
    return Duration.ofNanos(due.nanos());
  }

  Decision decide(Subject subject, long permits, Mode mode, Deadline within) {
    try {
      return store.decide(request(subject, permits, mode, within));
    } catch (StoreUnavailableException gone) {
      return Decision.uncounted(onOutage, gone.nextProbe());
    }
  }

  AcquireRequest request(Subject subject, long permits, Mode mode, Deadline within) {
    Charge charge = new Charge(counter(subject), permits);
    return new AcquireRequest(List.of(charge), mode, onOutage, within);
  }

  Counter counter(Subject subject) {
    return new Counter(name, limit, subject);
  }

  void adjust(Adjustment adjustment) throws StoreUnavailableException {
    store.adjust(adjustment, due.begun());
  }
}

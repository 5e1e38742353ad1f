package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One limit in one store, and how a {@link Limiter} asks it.
 *
 * @param due has not begun: it begins anew with each ask
 */
record Acquirer(
    String name, Limit limit, LimitStore store, Deadline due, OnOutage onOutage, Waits waits) {

  private static final Duration DEADLINE = Duration.ofMillis(100);

  Acquirer {
    Counter.validateName(name);
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(onOutage, "onOutage");
  }

  static Acquirer of(String name, Limit limit, LimitStore store) {
    return of(
        name, limit, store, Waits.ofLimiter(new Holds(store, DEADLINE, LimiterListener.NONE)));
  }

  static Acquirer of(String name, Limit limit, LimitStore store, Waits waits) {
    return new Acquirer(name, limit, store, due(DEADLINE), OnOutage.LOCAL, waits);
  }

  Acquirer within(Duration deadline) {
    return new Acquirer(name, limit, store, due(deadline), onOutage, waits.within(deadline));
  }

  Acquirer onOutage(OnOutage newOnOutage) {
    return new Acquirer(name, limit, store, due, newOnOutage, waits);
  }

  /**
   * @throws IllegalArgumentException when the deadline is not positive
   */
  static Deadline due(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw Expect.failure("deadline", deadline, "> 0");
    }
    return Deadline.within(deadline);
  }

  Duration deadline() {
    return Duration.ofNanos(due.nanos());
  }

  Decision ask(Subject subject, long permits, Terms terms, Deadline within) {
    try {
      return store.decide(asking(subject, permits, terms, within));
    } catch (StoreUnavailableException gone) {
      return Decision.uncounted(onOutage, gone.nextProbe());
    }
  }

  Ask asking(Subject subject, long permits, Terms terms, Deadline within) {
    Charge charge = new Charge(counter(subject), permits);
    return new Ask(List.of(charge), terms, onOutage, within);
  }

  Counter counter(Subject subject) {
    return new Counter(name, limit, subject);
  }

  void amend(Amendment amendment) throws StoreUnavailableException {
    store.amend(amendment, due.begun());
  }
}

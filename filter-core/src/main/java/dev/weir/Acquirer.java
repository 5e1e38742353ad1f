package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** One limit in one store, and how a {@link Limiter} asks it. */
record Acquirer(
    String name, Limit limit, LimitStore store, Duration deadline, OnOutage onOutage, Waits waits) {

  private static final Duration DEADLINE = Duration.ofMillis(100);

  Acquirer {
    Counter.validateName(name);
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(onOutage, "onOutage");
    validate(deadline);
  }

  static Acquirer of(String name, Limit limit, LimitStore store) {
    return of(
        name, limit, store, Waits.ofLimiter(new Holds(store, DEADLINE, LimiterListener.NONE)));
  }

  static Acquirer of(String name, Limit limit, LimitStore store, Waits waits) {
    return new Acquirer(name, limit, store, DEADLINE, OnOutage.LOCAL, waits);
  }

  Acquirer within(Duration newDeadline) {
    return new Acquirer(name, limit, store, newDeadline, onOutage, waits.within(newDeadline));
  }

  Acquirer onOutage(OnOutage newOnOutage) {
    return new Acquirer(name, limit, store, deadline, newOnOutage, waits);
  }

  Decision ask(Subject subject, long permits, Terms terms, Duration within) {
    try {
      return store.decide(asking(subject, permits, terms, within));
    } catch (StoreUnavailableException gone) {
      return Decision.uncounted(onOutage, gone.nextProbe());
    }
  }

  Ask asking(Subject subject, long permits, Terms terms, Duration within) {
    validate(within);
    Charge charge = new Charge(counter(subject), permits);
    return new Ask(List.of(charge), terms, onOutage, Deadline.after(within));
  }

  Counter counter(Subject subject) {
    return new Counter(name, limit, subject);
  }

  void amend(Amendment amendment) throws StoreUnavailableException {
    store.amend(amendment, Deadline.after(deadline));
  }

  private static void validate(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw Expect.failure("deadline", deadline, "> 0");
    }
  }
}

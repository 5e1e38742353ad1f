package dev.weir.http;

import dev.weir.Concurrency;
import dev.weir.OnOutage;
import dev.weir.http.Outcome.Rejected;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Asks a gate about each request, once, before anything is charged for it. Thread-safe. */
public final class Admission {

  private static final String NAME = "overload";

  private final OverloadGate gate;
  private final Optional<Overload> overload;
  private final RuleIndex counted;

  /**
   * @param overload what the gate obeys too; empty where all are let in
   */
  public Admission(OverloadGate gate, Optional<Overload> overload) {
    this.gate = gate;
    this.overload = overload;
    this.counted = new RuleIndex(overload.map(Admission::ruleOf).stream().toList());
  }

  /** Lets all in. */
  static Admission ofAll() {
    return new Admission(new OverloadGate(), Optional.empty());
  }

  /** Matches as a rule does, and charges nothing. */
  private static Rule ruleOf(Overload overload) {
    NamedLimit none = new NamedLimit(NAME, Concurrency.of(1));
    SubjectResolver all = SubjectResolver.of("global");
    return new Rule(NAME, Optional.of(overload.shed()), all, List.of(none), 1, OnOutage.ALLOW);
  }

  /** Whether there is something to ask: not of what is in already, nor of what is never shed. */
  boolean isDue(RequestView request) {
    return overload.isPresent() && !wasDue(request) && !counted.applying(request).isEmpty();
  }

  /**
   * Lets a request in.
   *
   * @param applying the rules that match it
   * @return empty when it is to be shed
   */
  Optional<Ticket> admit(RequestView request, List<MatchedRule> applying) {
    Optional<Ticket> pass = gate.enter(overload.flatMap(it -> it.shareOf(applying)));
    pass.ifPresentOrElse(
        let -> request.attribute(gate.attribute(), let),
        () -> request.attribute(gate.attribute(), NAME));
    return pass;
  }

  /** With what it was let in; empty when it was not, or never asked about. */
  Optional<Ticket> passOf(RequestView request) {
    return overload.isPresent() && request.attribute(gate.attribute()) instanceof Ticket pass
        ? Optional.of(pass)
        : Optional.empty();
  }

  /** It waits now, and is not in the application meanwhile. */
  void leave(RequestView request) {
    passOf(request).ifPresent(Ticket::leave);
  }

  /** Whether it has been asked about, and so is in, or was. */
  boolean wasDue(RequestView request) {
    return request.attribute(gate.attribute()) != null;
  }

  /** Whether it goes on to the application now; what is rejected does not, nor what waits. */
  static boolean stays(Outcome outcome) {
    return !(outcome instanceof Rejected) && !(outcome instanceof Delayed);
  }

  /**
   * Decides about one that is in. What does not go on leaves, and is no measure of the application.
   */
  static Outcome decided(Ticket pass, Supplier<Outcome> decision) {
    boolean stays = false;
    try {
      Outcome outcome = decision.get();
      stays = stays(outcome);
      return outcome;
    } finally {
      if (stays && !pass.hasLeft()) {
        pass.starts();
      } else {
        pass.leave();
      }
    }
  }
}

package dev.weir.http;

import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.match.RuleIndex;
import dev.weir.limit.Concurrency;
import java.util.List;
import java.util.Optional;

/**
 * An admission control that checks each request at a gate, once, before it is charged. A request
 * that has waited outside is checked once more. Thread-safe.
 *
 * <p>The mark on a request is its {@link Ticket}, or {@link Outside} while it waits. Any other mark
 * means that it was shed.
 */
final class Admission {

  private static final String NAME = "overload";

  private final OverloadGate gate;
  private final Overload overload;
  private final RuleIndex counted;

  /**
   * @param overload the settings that the gate follows too
   */
  Admission(OverloadGate gate, Overload overload) {
    this.gate = gate;
    this.overload = overload;
    // this rule matches the requests to count, and charges nothing
    Rule all = Rule.builder(NAME).match(overload.shed()).limit(Concurrency.of(1)).build();
    this.counted = new RuleIndex(List.of(all));
  }

  /** The mark of a request that has left to wait, and of the share that it may use again. */
  private record Outside(Optional<String> share) {}

  /**
   * Returns whether the gate must decide. It need not for a request that it has already decided,
   * unless that has left to wait. It need not for a request that is never shed.
   */
  boolean isDue(RequestView request) {
    Object mark = request.attribute(gate.attribute());
    return mark == null ? !counted.applying(request).isEmpty() : mark instanceof Outside;
  }

  /**
   * Admits a request. It may use the share of the first rule that has one. One that has waited
   * keeps the share that it was admitted by at first.
   *
   * @param applying the rules that match it
   * @return empty when the request must be shed
   */
  Optional<Ticket> admit(RequestView request, List<MatchedRule> applying) {
    Optional<String> share =
        applying.stream()
            .map(MatchedRule::rule)
            .filter(rule -> rule.when == null || rule.when.isActive())
            .map(Rule::name)
            .filter(overload.reserved()::containsKey)
            .findFirst();
    if (request.attribute(gate.attribute()) instanceof Outside outside
        && outside.share().isPresent()) {
      share = outside.share();
    }
    Optional<Ticket> ticket = gate.enter(share);
    request.attribute(gate.attribute(), ticket.isPresent() ? ticket.get() : NAME);
    return ticket;
  }

  /** Returns the ticket of an admitted request. Empty when it waits, was shed or never checked. */
  Optional<Ticket> ticketOf(RequestView request) {
    return request.attribute(gate.attribute()) instanceof Ticket ticket
        ? Optional.of(ticket)
        : Optional.empty();
  }

  /** Releases the request's place, because it now waits outside of the application. */
  void leave(RequestView request) {
    ticketOf(request)
        .ifPresent(
            ticket -> {
              ticket.leave();
              request.attribute(gate.attribute(), new Outside(ticket.share()));
            });
  }

  /** Returns whether the gate has already decided about this request, whatever the decision was. */
  boolean wasDue(RequestView request) {
    return request.attribute(gate.attribute()) != null;
  }
}

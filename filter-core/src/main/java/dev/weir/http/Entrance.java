package dev.weir.http;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The entrance of a node: it decides about requests that the node has room for, and sheds the
 * others. Thread-safe.
 */
final class Entrance {

  private final Admission admission;
  private final ResponseFields fields;
  private final RuleEvents events;

  Entrance(Admission admission, ResponseFields fields, RuleEvents events) {
    this.admission = admission;
    this.fields = fields;
    this.events = events;
  }

  /** Decides about the request if the node has room for it. A shed request is charged nothing. */
  Outcome admitted(RequestView request, List<MatchedRule> applying, Supplier<Outcome> decision) {
    return admission.isDue(request)
        ? letIn(request, applying, decision, () -> {})
        : again(request, decision);
  }

  /**
   * Makes a later decision for a request. If the request is already admitted, the time of the
   * decision does not count as latency. Neither does the time of a request that the decision
   * denies.
   */
  Outcome again(RequestView request, Supplier<Outcome> decision) {
    Optional<Ticket> ticket = admission.ticketOf(request);
    return ticket.isPresent() ? Admission.decided(ticket.get(), decision) : decision.get();
  }

  /**
   * Decides about a request that has waited outside of the application, if the node has room for
   * it.
   *
   * @param otherwise runs if the node has no room for the request any more
   */
  Outcome admittedAgain(
      RequestView request,
      List<MatchedRule> applying,
      Supplier<Outcome> decision,
      Runnable otherwise) {
    return admission.wasDue(request)
        ? letIn(request, applying, decision, otherwise)
        : decision.get();
  }

  /** Releases the request's place, because it now waits outside of the application. */
  void leave(RequestView request) {
    admission.leave(request);
  }

  private Outcome letIn(
      RequestView request,
      List<MatchedRule> applying,
      Supplier<Outcome> decision,
      Runnable otherwise) {
    Optional<Ticket> ticket = admission.admit(request, applying);
    if (ticket.isEmpty()) {
      otherwise.run();
      events.shed();
      return fields.shed();
    }
    Outcome outcome = Admission.decided(ticket.get(), decision);
    return Admission.stays(outcome) && !ticket.get().hasLeft()
        ? outcome.endingWith(
            Completion.handedOut(List.of(ticket.get()), RequestState.of(request), request))
        : outcome;
  }
}

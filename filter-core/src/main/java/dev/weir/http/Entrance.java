package dev.weir.http;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Decides about requests that the node has room for, and answers the others. Thread-safe. */
final class Entrance {

  private final Admission admission;
  private final ResponseFields fields;
  private final RuleEvents reports;

  Entrance(Admission admission, ResponseFields fields, RuleEvents reports) {
    this.admission = admission;
    this.fields = fields;
    this.reports = reports;
  }

  /** Decides about it if the node has room for it. What is shed is charged nothing. */
  Outcome admitted(RequestView request, List<MatchedRule> applying, Supplier<Outcome> decision) {
    return admission.isDue(request)
        ? letIn(request, applying, decision, () -> {})
        : again(request, decision);
  }

  /** Of one that is in, what later decisions take is no measure either, nor is what they deny. */
  Outcome again(RequestView request, Supplier<Outcome> decision) {
    Optional<Ticket> pass = admission.passOf(request);
    return pass.isPresent() ? Admission.decided(pass.get(), decision) : decision.get();
  }

  /**
   * The same for one that has waited, and was not in the application meanwhile.
   *
   * @param otherwise done where there is no room for it any more
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

  /** It waits now, and is not in the application meanwhile. */
  void leave(RequestView request) {
    admission.leave(request);
  }

  private Outcome letIn(
      RequestView request,
      List<MatchedRule> applying,
      Supplier<Outcome> decision,
      Runnable otherwise) {
    Optional<Ticket> pass = admission.admit(request, applying);
    if (pass.isEmpty()) {
      otherwise.run();
      reports.shed();
      return fields.shed();
    }
    Outcome outcome = Admission.decided(pass.get(), decision);
    return Admission.stays(outcome) && !pass.get().hasLeft()
        ? outcome.endingWith(
            Completion.handedOut(List.of(pass.get()), RequestState.of(request), request))
        : outcome;
  }
}

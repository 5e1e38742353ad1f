package dev.weir.http;

import dev.weir.http.internal.decide.RuleDecisions;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.store.Decision.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a request: what has been decided for it so far. It is kept on the request itself. So
 * each rule charges the request once, however many dispatches and adapters see it. Immutable.
 *
 * @param decided the rules, compared by identity
 * @param verdicts the states of the counters at the last decision for this request
 * @param denied whether it was denied or shed
 * @param waiting the rules that apply as soon as the user is known
 * @param completion the completion that was handed out, to report the end of the response
 */
record RequestState(
    List<MatchedRule> decided,
    List<Verdict> verdicts,
    boolean denied,
    List<MatchedRule> waiting,
    Optional<Completion> completion) {

  private static final String ATTRIBUTE = "dev.weir.http.request-state";
  private static final RequestState NONE =
      new RequestState(List.of(), List.of(), false, List.of(), Optional.empty());

  /**
   * Returns the state of the request. A value that Weir has set from another class loader is
   * ignored.
   */
  static RequestState of(RequestView request) {
    return request.attribute(ATTRIBUTE) instanceof RequestState stats ? stats : NONE;
  }

  void keepOn(RequestView request) {
    request.attribute(ATTRIBUTE, this);
  }

  /** Returns whether the rule is decided. */
  boolean holds(Rule rule) {
    return MatchedRule.isOneOf(decided, rule);
  }

  /**
   * Returns the rules that are left to decide. After a denial there are none, or its error page
   * would be denied too.
   */
  List<MatchedRule> due(List<MatchedRule> applying, RequestContext context) {
    if (denied || applying.isEmpty()) {
      return List.of();
    }
    boolean preflight = context.request().isPreflight();
    if (!preflight && decided.isEmpty()) {
      return applying;
    }
    List<MatchedRule> due = new ArrayList<>(applying.size());
    for (MatchedRule applied : applying) {
      boolean exempt = preflight && isExempt(applied.rule(), context);
      if (!exempt && !holds(applied.rule())) {
        due.add(applied);
      }
    }
    return due;
  }

  /** Returns whether the rule ignores this preflight. It never ignores a denied client. */
  private static boolean isExempt(Rule rule, RequestContext context) {
    return rule.subject().needsCredentials() && !rule.clients().denies(context);
  }

  /** Returns the state in which these rules wait for the user too, each rule once. */
  RequestState awaitingUser(List<MatchedRule> applied) {
    List<MatchedRule> others =
        applied.stream().filter(one -> !MatchedRule.isOneOf(waiting, one.rule())).toList();
    return new RequestState(decided, verdicts, denied, joined(waiting, others), completion);
  }

  /** Returns the state of a request that was shed. Nothing is left to decide for it. */
  RequestState shed() {
    return new RequestState(decided, verdicts, true, waiting, completion);
  }

  RequestState after(List<MatchedRule> due, RuleDecisions decisions) {
    return new RequestState(
        joined(decided, due),
        merged(decisions.verdicts()),
        !decisions.allowed(),
        waiting,
        completion);
  }

  /** Returns the state with this completion, to which the end must be reported. */
  RequestState endingWith(Completion other) {
    return new RequestState(decided, verdicts, denied, waiting, Optional.of(other));
  }

  private List<Verdict> merged(List<Verdict> later) {
    if (verdicts.isEmpty()) {
      return later;
    }
    List<Verdict> merged = new ArrayList<>(verdicts);
    merged.removeIf(
        known -> later.stream().anyMatch(now -> now.counter().isSameAs(known.counter())));
    merged.addAll(later);
    return merged;
  }

  private static <T> List<T> joined(List<T> some, List<T> others) {
    if (some.isEmpty()) {
      return others;
    }
    List<T> joined = new ArrayList<>(some);
    joined.addAll(others);
    return joined;
  }
}

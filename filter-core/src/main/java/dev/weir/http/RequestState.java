package dev.weir.http;

import dev.weir.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What has been decided for a request so far, kept on the request itself, so that each rule charges
 * it once however many dispatches and adapters see it. Immutable.
 *
 * @param decided the rules, each the very object
 * @param verdicts how the counters stood when they were last asked for this request
 * @param waiting what applies as soon as it is known who the user is
 * @param completion what somebody was told to tell the end of the response
 */
record RequestState(
    List<Rule> decided,
    List<Verdict> verdicts,
    boolean denied,
    List<MatchedRule> waiting,
    Optional<Completion> completion) {

  private static final String ATTRIBUTE = "dev.weir.http.request-state";
  private static final RequestState NONE =
      new RequestState(List.of(), List.of(), false, List.of(), Optional.empty());

  /** A value that another class loader's Weir left there is not ours. */
  static RequestState of(RequestView request) {
    return request.attribute(ATTRIBUTE) instanceof RequestState stats ? stats : NONE;
  }

  void keepOn(RequestView request) {
    request.attribute(ATTRIBUTE, this);
  }

  /** By identity: two Weirs may hold equal rules, and both are to be obeyed. */
  @SuppressWarnings("ReferenceEquality") // equal rules of two Weirs are two rules
  boolean holds(Rule rule) {
    for (Rule known : decided) {
      if (known == rule) {
        return true;
      }
    }
    return false;
  }

  /** What is left to decide; nothing after a denial, or its error page would be denied too. */
  List<MatchedRule> due(List<MatchedRule> applying, RequestView request) {
    if (denied) {
      return List.of();
    }
    boolean preflight = Preflight.isOne(request);
    if (!preflight && decided.isEmpty()) {
      return applying;
    }
    List<MatchedRule> due = new ArrayList<>(applying.size());
    for (MatchedRule applied : applying) {
      boolean exempt = preflight && applied.rule().subject().needsCredentials();
      if (!exempt && !holds(applied.rule())) {
        due.add(applied);
      }
    }
    return due;
  }

  /** The same where these wait too, each rule once. */
  RequestState awaitingUser(List<MatchedRule> applied) {
    List<MatchedRule> others = applied.stream().filter(one -> !isAwaiting(one.rule())).toList();
    return new RequestState(decided, verdicts, denied, joined(waiting, others), completion);
  }

  @SuppressWarnings("ReferenceEquality") // equal rules of two Weirs are two rules
  private boolean isAwaiting(Rule rule) {
    return waiting.stream().anyMatch(known -> known.rule() == rule);
  }

  RequestState after(List<MatchedRule> due, RuleDecisions ruling) {
    List<Rule> rules = joined(decided, MatchedRule.rules(due));
    return new RequestState(
        rules, merged(ruling.verdicts()), !ruling.allowed(), waiting, completion);
  }

  /** The same, which is to be told to this one when it ends. */
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

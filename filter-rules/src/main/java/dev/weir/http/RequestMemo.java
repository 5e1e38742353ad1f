package dev.weir.http;

import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.store.Decision.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a request: what has been decided for it so far. It is kept on the request
 * itself. So each rule charges the request once, however many dispatches and adapters see it.
 * Immutable.
 *
 * @param decided the rules, compared by identity
 * @param verdicts the states of the counters at the last decision for this request
 * @param outcome what became of it; null while no rule has decided
 * @param waiting the rules that apply as soon as the user is known
 * @param end to which the end of the response is reported, if it was handed out
 */
record RequestMemo(
    List<MatchedRule> decided,
    List<Verdict> verdicts,
    @Nullable Outcome outcome,
    List<MatchedRule> waiting,
    Optional<ResponseEnd> end) {

  private static final String ATTRIBUTE = "dev.weir.http.request-memo";
  private static final RequestMemo NONE =
      new RequestMemo(List.of(), List.of(), null, List.of(), Optional.empty());

  /**
   * Returns the memo of the request. A value that Weir has set from another class loader is
   * ignored.
   */
  static RequestMemo of(RequestView request) {
    return request.attribute(ATTRIBUTE) instanceof RequestMemo memo ? memo : NONE;
  }

  void keepOn(RequestView request) {
    request.attribute(ATTRIBUTE, this);
  }

  /** Returns whether the request was denied or shed. Nothing is left to decide for it. */
  boolean isDenied() {
    return outcome != null && outcome != Outcome.ALLOWED && outcome != Outcome.DEGRADED;
  }

  /** Returns the rules that are left to decide now, unless the request is denied. */
  List<MatchedRule> due(List<MatchedRule> applying, RequestContext context) {
    if (applying.isEmpty()) {
      return List.of();
    }
    for (int i = 0; i < applying.size(); i++) {
      if (!isDue(applying.get(i).rule(), context)) {
        return applying.stream().filter(applied -> isDue(applied.rule(), context)).toList();
      }
    }
    return applying;
  }

  /**
   * Outside of its times, a rule does not exist. A preflight has no credentials. A denied client is
   * denied it all the same.
   */
  private boolean isDue(Rule rule, RequestContext context) {
    if (rule.when != null && !rule.when.isActiveAt(context.timeMillis(rule.when))) {
      return false;
    }
    boolean isExempt =
        rule.subject().needsCredentials()
            && context.request().isPreflight()
            && !rule.denies(context);
    return !isExempt && !MatchedRule.isOneOf(decided, rule);
  }

  /** Returns the memo with these rules among those that wait for the user, each rule once. */
  RequestMemo awaitingUser(List<MatchedRule> applied) {
    List<MatchedRule> others =
        applied.stream().filter(one -> !MatchedRule.isOneOf(waiting, one.rule())).toList();
    return new RequestMemo(decided, verdicts, outcome, joined(waiting, others), end);
  }

  /** Returns the memo of a request that was shed. Nothing is left to decide for it. */
  RequestMemo shed() {
    return new RequestMemo(decided, verdicts, Outcome.SHED, waiting, end);
  }

  /**
   * Returns the memo after a decision about these rules, with later states of counters. A request
   * that was degraded before stays so.
   */
  RequestMemo after(List<MatchedRule> due, List<Verdict> later, Outcome now) {
    Outcome last = outcome == Outcome.DEGRADED && now == Outcome.ALLOWED ? outcome : now;
    return new RequestMemo(joined(decided, due), merged(later), last, waiting, end);
  }

  /** Returns the memo with this end, to which the end of the response must be reported. */
  RequestMemo endingWith(ResponseEnd other) {
    return new RequestMemo(decided, verdicts, outcome, waiting, Optional.of(other));
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

  static <T> List<T> joined(List<T> some, List<T> others) {
    if (some.isEmpty() || others.isEmpty()) {
      return some.isEmpty() ? others : some;
    }
    List<T> joined = new ArrayList<>(some);
    joined.addAll(others);
    return joined;
  }
}

package dev.weir.http;

import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.limit.Concurrency;
import dev.weir.store.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of the requests of a node since its start, at one moment. It holds no subject: a tag
 * shows only that two requests had the same one. Immutable.
 *
 * @param requests by outcome, each request once. Requests that no rule has decided are not here
 * @param decisions by rule, outcome and source; combinations without a decision have no entry
 * @param denials by rule, limit and reason; combinations without a denial have no entry
 * @param delayed how many requests were allowed after a wait, by the rule that delays. A rule
 *     without such requests has no entry
 * @param topDenied for each rule, the subjects with the most denials of late, the most first
 */
public record RequestCounts(
    Map<Outcome, Long> requests,
    List<Decisions> decisions,
    List<Denials> denials,
    Map<String, Long> delayed,
    Map<String, List<TopDenied>> topDenied) {

  public RequestCounts {
    requests = Map.copyOf(requests);
    decisions = List.copyOf(decisions);
    denials = List.copyOf(denials);
    delayed = Map.copyOf(delayed);
    topDenied = Map.copyOf(topDenied);
  }

  /**
   * What became of a request. A request that is decided at several points, such as in a filter and
   * in JAX-RS, has the last of its outcomes in this order.
   */
  public enum Outcome {
    /** All rules let it pass. What shadows would deny is here too. */
    ALLOWED,
    /** A limit denied it, and the rule degraded it: the application has answered it. */
    DEGRADED,
    /** A limit denied it. */
    DENIED,
    /** A rule denied it because it had banned the subject. */
    BANNED,
    /** A list of a rule refused the client, whatever it had left of a limit. */
    REFUSED,
    /** Redis was out, and {@code on-outage: deny} denied it. */
    UNAVAILABLE,
    /** The node had no room for it. */
    SHED
  }

  /** Why a rule denied a request, or why a shadow would have. */
  public enum Reason {
    /** The subject has used up the limit for now. */
    EXHAUSTED,
    /** The subject is blocked, by code or by a ban. */
    BLOCKED,
    /** A list refuses the client, or the request names too many subjects. Nothing was counted. */
    LIST,
    /** The request costs more than the limit ever has. */
    NEVER,
    /** Redis was out, and {@code on-outage: deny} decided. Nothing was counted. */
    UNAVAILABLE,
    /** Other requests of the subject hold all permits of a concurrency limit. */
    CAPACITY
  }

  /**
   * The number of times that a rule allowed or denied. A request that several rules apply to is one
   * decision. If it is allowed, it counts for each rule. If it is denied, it counts only for the
   * first rule with a limit that binds. Rules that degrade make a separate decision from rules that
   * reject. Each shadow also makes its own decision. What it would deny is counted apart, as {@link
   * RuleOutcome#SHADOW_DENIED}.
   *
   * @param source how they were counted. Empty where the rule decided without counting: it denies
   *     the client, or does not limit it, whatever other rules did
   */
  public record Decisions(String rule, RuleOutcome outcome, Optional<Source> source, long count) {}

  /**
   * A number of denials.
   *
   * @param limit the name of the limit that denied, or {@code -} where nothing was counted
   * @param isShadow whether the rule is a shadow, which only would have denied
   */
  public record Denials(String rule, String limit, Reason reason, boolean isShadow, long count) {

    /**
     * Returns the denials that the limits and the ban of a rule may make, each with a count of 0.
     * So a counter can exist before its first event.
     */
    public static List<Denials> noneYet(Rule rule) {
      List<Denials> denials = new ArrayList<>();
      for (Rule.NamedLimit limit : rule.limits()) {
        Reason reason = limit.limit() instanceof Concurrency ? Reason.CAPACITY : Reason.EXHAUSTED;
        denials.add(new Denials(rule.name(), limit.name(), reason, rule.isShadow(), 0));
      }
      if (rule.onDenial().ban().isPresent()) {
        String ban = OnDenial.Ban.counterName(rule.name());
        denials.add(new Denials(rule.name(), ban, Reason.BLOCKED, rule.isShadow(), 0));
      }
      return List.copyOf(denials);
    }
  }

  /**
   * A subject that a rule denies often.
   *
   * @param tag of the subject, as {@link dev.weir.store.SubjectTags} makes it
   * @param count its denials of late, where those of each minute weigh half as much as those of the
   *     next. It is at most {@code error} too high, and never too low
   */
  public record TopDenied(String tag, long count, long error) {}
}

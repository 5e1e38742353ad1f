package dev.weir.config;

import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.redis.RedisStatus;
import dev.weir.store.Source;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The status of a {@link Weir} at one moment. It holds no subject and no secret.
 *
 * @param node the name of this node, a new one at each start. All Weirs of an application have the
 *     same
 * @param store what decides: {@link Source#REDIS} while any primary does, else {@link Source#LOCAL}
 * @param redis the primaries and their breakers; empty when no Redis is configured
 * @param liveNodes how many nodes share the limits, as last received from Redis, or as configured
 * @param loaded the current configuration
 * @param decisions their number since the start, by rule, outcome and source; combinations without
 *     a decision have no entry
 * @param waiting how many delayed requests wait on this node
 * @param delayed how many requests were allowed after a wait since the start, by the rule that
 *     delays. A rule without such requests has no entry
 * @param overflowed how often since the start a counter in process was used that several subjects
 *     share, because their limit had used its part of {@code max-counters}
 * @param overload how many requests this node has and may have at once; empty if it takes all
 */
public record WeirStatus(
    String node,
    Source store,
    Optional<RedisStatus> redis,
    int liveNodes,
    Loaded loaded,
    List<Decisions> decisions,
    int waiting,
    Map<String, Long> delayed,
    long overflowed,
    Optional<RuleLimiter.InFlight> overload) {

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
   * A configuration that was read.
   *
   * @param source the file, or another source
   * @param at when it was loaded
   * @param problem why the changed file cannot be used, one problem a line; empty when it can
   */
  public record Loaded(String source, Instant at, Optional<String> problem) {

    public Loaded {
      Objects.requireNonNull(source, "source");
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(problem, "problem");
    }

    static Loaded now(String source) {
      return new Loaded(source, Instant.now(), Optional.empty());
    }
  }

  public WeirStatus {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(redis, "redis");
    Objects.requireNonNull(loaded, "loaded");
    Objects.requireNonNull(overload, "overload");
    decisions = List.copyOf(decisions);
    delayed = Map.copyOf(delayed);
  }
}

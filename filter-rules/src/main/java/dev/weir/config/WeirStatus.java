package dev.weir.config;

import dev.weir.http.RequestCounts;
import dev.weir.http.RuleLimiter;
import dev.weir.redis.RedisStatus;
import dev.weir.store.Source;
import java.time.Instant;
import java.util.List;
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
 * @param areShadows whether all rules only observe, as {@code shadow: on} has it
 * @param counts decisions, and what became of requests, since the start
 * @param waiting how many delayed requests wait on this node
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
    boolean areShadows,
    RequestCounts counts,
    int waiting,
    long overflowed,
    Optional<RuleLimiter.InFlight> overload) {

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
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(overload, "overload");
  }

  /** Returns the decisions of {@link #counts}. */
  public List<RequestCounts.Decisions> decisions() {
    return counts.decisions();
  }
}

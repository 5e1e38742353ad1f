package dev.weir.config;

import dev.weir.Source;
import dev.weir.http.OverloadGate;
import dev.weir.redis.RedisStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a {@link Weir} stands at one moment. It holds no subject and no secret.
 *
 * @param node the name of this node, another one at each start; all Weirs of an application have
 *     the same
 * @param store who decides: {@link Source#REDIS} while any primary does, else {@link Source#LOCAL}
 * @param redis the primaries and their breakers; empty when no Redis is configured
 * @param liveNodes how many nodes share the limits, as last heard from Redis, or as configured
 * @param loaded which configuration holds
 * @param decisions how many there were since the start, for each rule, outcome and source; only
 *     those that were made at all
 * @param waiting how many requests wait on this node for what a rule delays
 * @param delayed how many requests have waited for a rule and were let in, since the start, by the
 *     rule that delays; none of a rule that has let nobody wait
 * @param overload how many requests this node has at once, and may have; empty where it takes all
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
    Optional<OverloadGate.Standing> overload) {

  /**
   * How often a rule allowed or denied. A request that several rules apply to is one decision: when
   * allowed, it counts for each of them; when denied, only for the first rule whose limit binds.
   * Rules that degrade are a decision apart from those that reject. Each shadow is one, which
   * denies nothing but would.
   *
   * @param allowed the outcome of the decision; but {@link Source#RULE} and allowed is a rule that
   *     did not limit the client, whatever others did
   */
  public record Decisions(String rule, boolean allowed, Source source, long count) {}

  /**
   * A configuration that was read.
   *
   * @param source the file, or what else it came from
   * @param at when it was taken up
   * @param problem why what the file became since cannot be used, one problem a line; empty when it
   *     can
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

    Loaded withProblem(String newProblem) {
      return new Loaded(source, at, Optional.of(newProblem));
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

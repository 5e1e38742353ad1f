package dev.weir.config;

import dev.weir.http.RequestCounts;
import dev.weir.http.Rule;
import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.redis.RedisStatus;
import dev.weir.store.Source;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The status of a {@link Weir} at one moment. It holds no subject and no secret.
 *
 * @param version the version of this library
 * @param application that of the keys in Redis; empty when no Redis is configured
 * @param node the name of this node, a new one at each start. All Weirs of an application have the
 *     same
 * @param store what decides: {@link Source#REDIS} while any primary does, else {@link Source#LOCAL}
 * @param redis the primaries and their breakers; empty when no Redis is configured
 * @param liveNodes how many nodes share the limits, as last received from Redis, or as configured
 * @param reckonedNodes by how many nodes this one divides the limits when it decides in process:
 *     the configured number, or the most that were alive at once within ten minutes
 * @param loaded the current configuration, and its reloads
 * @param areShadows whether all rules only observe, as {@code shadow: on} has it
 * @param counts decisions, and what became of requests, since the start
 * @param waiting how many delayed requests wait on this node
 * @param counters the counters in process
 * @param leases of how many counters this node holds leased permits; 0 when no Redis is configured
 * @param events what happened since the start
 * @param overload how many requests this node has and may have at once; empty if it takes all
 */
public record WeirStatus(
    String version,
    Optional<String> application,
    String node,
    Source store,
    Optional<RedisStatus> redis,
    int liveNodes,
    int reckonedNodes,
    Loaded loaded,
    boolean areShadows,
    RequestCounts counts,
    int waiting,
    Counters counters,
    int leases,
    Events events,
    Optional<RuleLimiter.InFlight> overload) {

  /**
   * A configuration that was read.
   *
   * @param source the file, or another source
   * @param at when it was loaded
   * @param problem why the changed file cannot be used, one problem a line; empty when it can
   * @param reloads how often it was reloaded since the start
   * @param failedReloads how often a reload was refused since the start. An invalid file counts
   *     once, until it changes again or is reloaded by hand
   */
  public record Loaded(
      String source, Instant at, Optional<String> problem, long reloads, long failedReloads) {

    public Loaded {
      Objects.requireNonNull(source, "source");
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(problem, "problem");
    }

    /** Returns the first load of a configuration. */
    static Loaded first(String source) {
      return new Loaded(source, Instant.now(), Optional.empty(), 0, 0);
    }

    Loaded reloaded(String as) {
      return new Loaded(as, Instant.now(), Optional.empty(), reloads + 1, failedReloads);
    }

    Loaded refused(String why) {
      return new Loaded(source, at, Optional.of(why), reloads, failedReloads);
    }

    Loaded withFailure() {
      return new Loaded(source, at, problem, reloads, failedReloads + 1);
    }
  }

  /**
   * The counters in process: all of them without Redis, else those of outages.
   *
   * @param held how many there are now, shared ones included
   * @param max the current {@code max-counters}
   * @param overflowed how often since the start a counter was used that several subjects share,
   *     because their limit had used its part of {@code max-counters}. By limit, with each limit
   *     that rules use
   */
  public record Counters(long held, int max, Map<String, Long> overflowed) {

    public Counters {
      overflowed = Map.copyOf(overflowed);
    }
  }

  /**
   * What happened since the start. Each count only grows.
   *
   * @param storeSwitches how often a primary was out, by {@link Source#LOCAL}, and how often one
   *     decided again, by {@link Source#REDIS}
   * @param lastStoreSwitch when that last happened; empty before the first time
   * @param probesSucceeded how many probes of a primary that was out have written
   * @param probesFailed how many have not
   * @param permitsLost how many requests lost the permits of a {@code concurrent} limit before they
   *     ended
   * @param refundsLost how often permits were not given back, by rule, with each rule
   * @param errors how many failures were no outage
   */
  public record Events(
      Map<Source, Long> storeSwitches,
      Optional<Instant> lastStoreSwitch,
      long probesSucceeded,
      long probesFailed,
      long permitsLost,
      Map<String, Long> refundsLost,
      long errors) {

    public Events {
      Objects.requireNonNull(lastStoreSwitch, "lastStoreSwitch");
      storeSwitches = Map.copyOf(storeSwitches);
      refundsLost = Map.copyOf(refundsLost);
    }
  }

  /** Returns the sources of usual decisions, and of those in an outage. */
  Set<Source> usualSources() {
    return redis.isPresent() ? EnumSet.of(Source.REDIS, Source.LOCAL) : EnumSet.of(Source.LOCAL);
  }

  /** Returns a constant as metrics, JMX and the page name it. */
  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the limit of a denial as they name it: {@code none} where nothing was counted. */
  static String limitOf(String limit) {
    return limit.equals("-") ? "none" : limit;
  }

  /** Returns the outcomes that decisions of a rule usually have. */
  static Set<RuleOutcome> outcomes(Rule rule) {
    Set<RuleOutcome> outcomes = EnumSet.of(RuleOutcome.ALLOWED);
    outcomes.add(rule.isShadow() ? RuleOutcome.SHADOW_DENIED : RuleOutcome.DENIED);
    rule.onDenial().ban().ifPresent(ban -> outcomes.add(RuleOutcome.BANNED));
    return outcomes;
  }

  public WeirStatus {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(redis, "redis");
    Objects.requireNonNull(loaded, "loaded");
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(counters, "counters");
    Objects.requireNonNull(events, "events");
    Objects.requireNonNull(overload, "overload");
  }

  /** Returns the decisions of {@link #counts}. */
  public List<RequestCounts.Decisions> decisions() {
    return counts.decisions();
  }
}

package dev.weir.config.internal.read;

import dev.weir.LimiterListener;
import dev.weir.OnOutage;
import dev.weir.config.Delays;
import dev.weir.http.ClientAddress;
import dev.weir.http.NamedLimit;
import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.http.Rule;
import dev.weir.redis.RedisOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A valid configuration.
 *
 * @param name its source, as the log calls it
 * @param denyCache how long a denial by Redis is repeated in process; empty when it is not
 * @param configuredNodes how many nodes share a limit when Redis cannot report it, if configured
 * @param reload whether the file is watched, if it can be
 * @param maxCounters how many subjects have separate counters in process
 * @param onOutage the default for rules that do not set it
 * @param delays how requests wait
 * @param keyFiles files that it names, with the digest of each; empty for a missing file
 * @param limits by name
 * @param leased the names of those that nodes may lease
 * @param inBytes the names of those that are written in bytes
 * @param rules those that are enabled, in order
 * @param disabled the names of those that are not
 * @param overload how many requests a node takes at once; empty when it takes all
 * @param notes remarks on settings that may be intended
 */
public record Settings(
    String name,
    boolean reload,
    Optional<RedisOptions> redis,
    Optional<Duration> denyCache,
    Optional<Integer> configuredNodes,
    int maxCounters,
    OnOutage onOutage,
    ClientAddress clientAddress,
    MatchOptions paths,
    ResponseStyle responses,
    Delays delays,
    LimiterListener listener,
    Map<Path, Optional<String>> keyFiles,
    Map<String, NamedLimit> limits,
    Set<String> leased,
    Set<String> inBytes,
    List<Rule> rules,
    Set<String> disabled,
    Optional<Overload> overload,
    List<String> notes) {

  /** The default time for which a denial is remembered. */
  public static final Duration DENY_CACHE = Duration.ofSeconds(1);

  private static final Duration DEADLINE = Duration.ofMillis(100);

  public int nodes() {
    return configuredNodes.orElse(1);
  }

  public List<String> advice() {
    return Advice.of(this, rules, List.of());
  }

  /** Returns the time within which a request is decided. */
  public Duration deadline() {
    return redis.map(RedisOptions::deadline).orElse(DEADLINE);
  }
}

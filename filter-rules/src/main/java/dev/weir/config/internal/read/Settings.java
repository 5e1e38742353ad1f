package dev.weir.config.internal.read;

import dev.weir.config.Weir.Delays;
import dev.weir.http.ClientAddress;
import dev.weir.http.LimitFunction;
import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleListener;
import dev.weir.redis.RedisOptions;
import dev.weir.store.OnOutage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A valid configuration. */
public record Settings(
    Origin origin, Counting counting, Requests requests, Limits limits, Rules rules) {

  /** The default time for which a denial is remembered. */
  public static final Duration DENY_CACHE = Duration.ofSeconds(1);

  /**
   * What it was read from.
   *
   * @param name as the log calls it
   * @param reload whether the file is watched, if it can be
   * @param keyFiles files that it names, with the digest of each; empty for a missing file
   * @param notes remarks on settings that may be intended
   */
  public record Origin(
      String name, boolean reload, Map<Path, Optional<String>> keyFiles, List<String> notes) {

    /** Returns the origin of a configuration that is made by code. */
    public static Origin inCode(String name) {
      return new Origin(name, false, Map.of(), List.of());
    }
  }

  /**
   * Where counters live.
   *
   * @param denyCache how long a denial by Redis is repeated in process; empty when it is not
   * @param configuredNodes how many nodes share a limit when Redis cannot report it, if configured
   * @param maxCounters how many subjects have separate counters in process
   */
  public record Counting(
      Optional<RedisOptions> redis,
      Optional<Duration> denyCache,
      Optional<Integer> configuredNodes,
      int maxCounters,
      RuleListener listener) {

    public int nodes() {
      return configuredNodes.orElse(1);
    }

    /** Returns the time within which a request is decided. */
    public Duration deadline() {
      return redis.map(RedisOptions::deadline).orElse(RedisOptions.DEFAULT_DEADLINE);
    }
  }

  /**
   * How requests are read and answered.
   *
   * @param delays how requests wait
   * @param overload how many requests a node takes at once; empty when it takes all
   */
  public record Requests(
      ClientAddress clientAddress,
      MatchOptions paths,
      ResponseStyle responses,
      Delays delays,
      Optional<Overload> overload) {}

  /**
   * The limits by name.
   *
   * @param leased the names of those that nodes may lease
   * @param inBytes the names of those that are written in bytes
   * @param functions for the limits of these names, in place too, return the numbers of each
   *     subject
   */
  public record Limits(
      Map<String, NamedLimit> byName,
      Set<String> leased,
      Set<String> inBytes,
      Map<String, LimitFunction> functions) {}

  /**
   * The rules.
   *
   * @param written those that are enabled, in their order, as they are written
   * @param enabled the same as they decide: with {@code shadow: on} as shadows
   * @param disabled the names of the others
   * @param onOutage the default for rules that do not set it
   * @param areShadows whether all rules only observe, and overload control too
   */
  public record Rules(
      List<Rule> written,
      List<Rule> enabled,
      Set<String> disabled,
      OnOutage onOutage,
      boolean areShadows) {

    /** Returns rules that decide as they are written, or as shadows. */
    public static Rules of(
        List<Rule> written, Set<String> disabled, OnOutage onOutage, boolean areShadows) {
      List<Rule> enabled =
          areShadows ? written.stream().map(Rule::asShadow).toList() : List.copyOf(written);
      return new Rules(List.copyOf(written), enabled, disabled, onOutage, areShadows);
    }

    /** Returns a rule of an annotation as it decides. */
    Rule deciding(Rule made) {
      return areShadows ? made.asShadow() : made;
    }
  }

  /** Returns the name of its origin. */
  public String name() {
    return origin.name();
  }

  public List<String> advice() {
    return Advice.of(this, rules.written(), List.of());
  }
}

package dev.weir.config;

import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.OnOutage;
import dev.weir.http.ClientAddress;
import dev.weir.http.MatchOptions;
import dev.weir.http.NamedLimit;
import dev.weir.http.Overload;
import dev.weir.http.ResponseStyle;
import dev.weir.http.Rule;
import dev.weir.local.LocalOptions;
import dev.weir.near.DenyCache;
import dev.weir.near.LeaseStore;
import dev.weir.redis.RedisClock;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Weir} by code, for those who register an adapter by code. Without {@link #redis}
 * it limits in process. Not thread-safe.
 */
public final class WeirBuilder {

  private @Nullable RedisOptions redis;
  private Optional<Duration> denyCache = Optional.of(Settings.DENY_CACHE);
  private Optional<Integer> nodes = Optional.empty();
  private int maxCounters = LocalOptions.DEFAULT_MAX_COUNTERS;
  private OnOutage onOutage = OnOutage.LOCAL;
  private ClientAddress clientAddress = ClientAddress.ofPeer();
  private ResponseStyle responses = ResponseStyle.DEFAULT;
  private Delays delays = Delays.AUTO;
  private LimiterListener listener = LimiterListener.NONE;
  private @Nullable Overload overload;
  private final Map<String, NamedLimit> limits = new LinkedHashMap<>();
  private final Set<String> leased = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();

  WeirBuilder() {}

  /** Counters that all nodes share. */
  public WeirBuilder redis(RedisOptions options) {
    redis = Objects.requireNonNull(options, "options");
    return this;
  }

  /**
   * How many nodes share a limit when Redis cannot tell; 1 unless told, with a warning beside
   * {@link #redis}.
   *
   * @throws IllegalArgumentException when it is not positive
   */
  public WeirBuilder nodes(int count) {
    if (count <= 0) {
      throw new IllegalArgumentException("nodes: " + count + " (expected: > 0)");
    }
    nodes = Optional.of(count);
    return this;
  }

  /**
   * How many subjects are counted apart in process, over all limits, as {@link
   * LocalOptions#maxCounters} says; 100,000 unless told.
   *
   * @throws IllegalArgumentException when it is not from 1 to 2^30
   */
  public WeirBuilder maxCounters(int count) {
    maxCounters = LocalOptions.embedded().withMaxCounters(count).maxCounters().getAsInt();
    return this;
  }

  /** What holds during an outage for the limits that annotations name. */
  public WeirBuilder onOutage(OnOutage policy) {
    onOutage = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /** How a client's address is found; the peer's unless told. */
  public WeirBuilder clientAddress(ClientAddress address) {
    clientAddress = Objects.requireNonNull(address, "address");
    return this;
  }

  /** What answers look like. */
  public WeirBuilder responses(ResponseStyle style) {
    responses = Objects.requireNonNull(style, "style");
    return this;
  }

  /** How requests wait that a rule delays; {@link Delays#AUTO} unless told. */
  public WeirBuilder delays(Delays way) {
    delays = Objects.requireNonNull(way, "way");
    return this;
  }

  /** Who hears of decisions and outages. */
  public WeirBuilder listener(LimiterListener hearing) {
    listener = Objects.requireNonNull(hearing, "hearing");
    return this;
  }

  /**
   * A limit for annotations to name; those of rules are known without.
   *
   * @throws IllegalArgumentException when the name is not one that a counter accepts
   */
  public WeirBuilder limit(String name, Limit limit) {
    limits.put(name, new NamedLimit(name, limit));
    return this;
  }

  /**
   * Nodes may lease the limits of these names: take permits of a subject that is asked for again
   * and again in advance, for some milliseconds, and spend them in process. Most decisions about it
   * then need no trip to Redis; what is left is told as of the last one. Of what a limit admits at
   * least, as much can be missing as is leased, of a bucket a quarter of the burst at most.
   *
   * @throws IllegalArgumentException when {@link #start starting}, if one of them is neither a
   *     token bucket nor a fixed window, or no limit is called so, or nodes decide by their own
   *     clocks
   */
  public WeirBuilder leases(String... names) {
    leased.addAll(List.of(names));
    return this;
  }

  /** One more rule. */
  public WeirBuilder rule(Rule rule) {
    rules.add(Objects.requireNonNull(rule, "rule"));
    return this;
  }

  /** How many requests this node takes at once; all of them unless told. */
  public WeirBuilder overload(Overload numbers) {
    overload = Objects.requireNonNull(numbers, "numbers");
    return this;
  }

  /**
   * What Redis denies is denied in process for so long at most, 1 s unless told otherwise. That
   * long somebody may be denied though another node has given permits back.
   *
   * @throws IllegalArgumentException when it is not positive, or longer than a minute
   */
  public WeirBuilder denyCache(Duration cap) {
    denyCache = Optional.of(DenyCache.checked(cap));
    return this;
  }

  /** Redis is asked about every request, also about those that it has just denied. */
  public WeirBuilder withoutDenyCache() {
    denyCache = Optional.empty();
    return this;
  }

  /**
   * Starts it; Redis may be up or down.
   *
   * @throws IllegalArgumentException when two rules have one name, or one limit's name stands for
   *     two different limits
   */
  public Weir start() {
    Map<String, NamedLimit> named = namedLimits();
    leased.forEach(name -> requireLeasable(name, named));
    Settings settings =
        new Settings(
            Opening.IN_CODE,
            false,
            Optional.ofNullable(redis),
            denyCache,
            nodes,
            maxCounters,
            onOutage,
            clientAddress,
            MatchOptions.DEFAULT,
            responses,
            delays,
            listener,
            Map.of(),
            named,
            Set.copyOf(leased),
            List.copyOf(rules),
            Set.of(),
            Optional.ofNullable(overload),
            List.of());
    return new Opening(Registry.GLOBAL, Environment.SYSTEM).own(settings);
  }

  private void requireLeasable(String name, Map<String, NamedLimit> named) {
    NamedLimit limit = named.get(name);
    if (limit == null || !LeaseStore.canLease(limit.limit())) {
      throw new IllegalArgumentException(
          "leases: '%s' (expected: the name of a token bucket or of a fixed window)"
              .formatted(name));
    }
    if (redis != null && redis.clock() == RedisClock.NODE) {
      throw new IllegalArgumentException(
          "leases: '%s' (expected: none, where nodes decide by their own clocks)".formatted(name));
    }
  }

  private Map<String, NamedLimit> namedLimits() {
    Map<String, NamedLimit> named = new LinkedHashMap<>(limits);
    for (Rule rule : rules) {
      rule.limits().forEach(limit -> add(limit, named));
    }
    return Map.copyOf(named);
  }

  private static void add(NamedLimit limit, Map<String, NamedLimit> named) {
    NamedLimit known = named.putIfAbsent(limit.name(), limit);
    if (known != null && !known.equals(limit)) {
      throw new IllegalArgumentException(
          "limits: '%s' as %s (expected: '%s', as elsewhere)"
              .formatted(limit.name(), limit.limit(), known.limit()));
    }
  }
}

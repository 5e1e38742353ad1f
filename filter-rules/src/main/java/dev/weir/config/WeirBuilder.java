package dev.weir.config;

import dev.weir.config.internal.read.Settings;
import dev.weir.http.ClientAddress;
import dev.weir.http.LimitFunction;
import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleListener;
import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import dev.weir.local.LocalOptions;
import dev.weir.near.DenyCache;
import dev.weir.redis.RedisOptions;
import dev.weir.store.OnOutage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Weir} by code, for applications that register an adapter by code. Without {@link
 * #redis} it limits in process. Not thread-safe.
 *
 * <pre>{@code
 * Rule logins =
 *     Rule.builder("login").match("POST /login").subject("ip").limit("5 per minute").build();
 * try (Weir weir =
 *     Weir.builder()
 *         .redis(RedisOptions.of("redis://cache", "shop"))
 *         .nodes(2)
 *         .rule(logins)
 *         .start()) {
 *   System.out.println(weir.status());
 * }
 * }</pre>
 */
public final class WeirBuilder {

  private @Nullable RedisOptions redis;
  private Optional<Duration> denyCache = Optional.of(Settings.DENY_CACHE);
  private Optional<Integer> nodes = Optional.empty();
  private int maxCounters = LocalOptions.DEFAULT_MAX_COUNTERS;
  private OnOutage onOutage = OnOutage.LOCAL;
  private ClientAddress clientAddress = ClientAddress.ofPeer();
  private ResponseStyle responses = ResponseStyle.DEFAULT;
  private Weir.Delays delays = Weir.Delays.AUTO;
  private RuleListener listener = RuleListener.NONE;
  private @Nullable Overload overload;
  private boolean areShadows;
  private final Map<String, NamedLimit> limits = new LinkedHashMap<>();
  private final Map<String, LimitFunction> functions = new HashMap<>();
  private final Set<String> leased = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();

  WeirBuilder() {}

  /** Sets the Redis with the counters that all nodes share. */
  public WeirBuilder redis(RedisOptions options) {
    redis = Objects.requireNonNull(options, "options");
    return this;
  }

  /**
   * Sets how many nodes share a limit when Redis cannot report it. The default is 1, with a warning
   * if {@link #redis} is set.
   *
   * @throws IllegalArgumentException when it is not positive
   */
  public WeirBuilder nodes(int count) {
    Expect.positive("nodes", count);
    nodes = Optional.of(count);
    return this;
  }

  /**
   * Sets how many subjects have separate counters in process, over all limits, as {@link
   * LocalOptions#maxCounters} defines. The default is 100,000.
   *
   * @throws IllegalArgumentException when it is not from 1 to 2^30
   */
  public WeirBuilder maxCounters(int count) {
    maxCounters = LocalOptions.of().withMaxCounters(count).maxCounters().getAsInt();
    return this;
  }

  /** Sets the outage policy for the limits that annotations name. */
  public WeirBuilder onOutage(OnOutage policy) {
    onOutage = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /** Sets how a client's address is found. The default is the peer's address. */
  public WeirBuilder clientAddress(ClientAddress address) {
    clientAddress = Objects.requireNonNull(address, "address");
    return this;
  }

  /** Sets the style of responses. */
  public WeirBuilder responses(ResponseStyle style) {
    responses = Objects.requireNonNull(style, "style");
    return this;
  }

  /** Sets how delayed requests wait. The default is {@link Weir.Delays#AUTO}. */
  public WeirBuilder delays(Weir.Delays way) {
    delays = Objects.requireNonNull(way, "way");
    return this;
  }

  /** Sets the listener that is notified of decisions and outages. */
  public WeirBuilder listener(RuleListener notified) {
    listener = Objects.requireNonNull(notified, "notified");
    return this;
  }

  /**
   * Adds a limit for annotations to name. Limits of rules need not be added.
   *
   * @throws IllegalArgumentException when the name is not one that a counter accepts
   */
  public WeirBuilder limit(String name, Limit limit) {
    limits.put(name, new NamedLimit(name, limit));
    return this;
  }

  /**
   * Sets the function that returns the numbers of each subject of this limit, which an annotation
   * or a rule names. It cannot be leased.
   */
  public WeirBuilder numbers(String limit, LimitFunction function) {
    functions.put(limit, Objects.requireNonNull(function, "function"));
    return this;
  }

  /**
   * Allows nodes to lease the limits of these names. A node takes permits of a frequently requested
   * subject in advance, for some milliseconds, and spends them in process. Most decisions about
   * that subject then need no call to Redis. The reported remaining permits are those of the last
   * call. Leased permits can be missing from the minimum that a limit allows. For a bucket this is
   * at most a quarter of the burst.
   *
   * @throws IllegalArgumentException when {@link #start starting}, if a name has no token bucket or
   *     fixed window, or has {@link #numbers} of each subject, or nodes decide by their own clocks
   */
  public WeirBuilder leases(String... names) {
    leased.addAll(List.of(names));
    return this;
  }

  /** Adds one rule. */
  public WeirBuilder rule(Rule rule) {
    rules.add(Objects.requireNonNull(rule, "rule"));
    return this;
  }

  /** Sets how many requests this node takes at once. By default, it takes all of them. */
  public WeirBuilder overload(Overload numbers) {
    overload = Objects.requireNonNull(numbers, "numbers");
    return this;
  }

  /**
   * Lets all rules only observe, lists and overload control too, as a first roll-out does. No
   * request is denied. A warning says so at the start and each hour.
   */
  public WeirBuilder shadow() {
    areShadows = true;
    return this;
  }

  /**
   * Sets how long at most a denial by Redis is repeated in process. The default is 1 s. During that
   * time a client may be denied although another node has refunded permits.
   *
   * @throws IllegalArgumentException when it is not positive, or longer than a minute
   */
  public WeirBuilder denyCache(Duration cap) {
    denyCache = Optional.of(DenyCache.checked(cap));
    return this;
  }

  /** Sends every request to Redis, even if Redis has just denied the subject. */
  public WeirBuilder withoutDenyCache() {
    denyCache = Optional.empty();
    return this;
  }

  /**
   * Starts it. Redis may be up or down.
   *
   * @throws IllegalArgumentException when two rules have one name, or two different limits have one
   *     name, or none has the name of a function
   */
  public Weir start() {
    Map<String, NamedLimit> named = new LinkedHashMap<>(limits);
    rules.stream().flatMap(rule -> rule.limits().stream()).forEach(limit -> add(limit, named));
    // code has numbers and no sizes: limits are in bytes where rules by bytes charge them
    Set<String> inBytes =
        rules.stream()
            .filter(rule -> rule.cost().isInBytes())
            .flatMap(rule -> rule.limits().stream())
            .map(NamedLimit::name)
            .collect(Collectors.toUnmodifiableSet());
    for (String name : functions.keySet()) {
      if (!named.containsKey(name)) {
        throw Expect.failure("numbers", "'" + name + "'", "the name of a limit");
      }
    }
    boolean isByNodes = redis != null && redis.clock() == RedisOptions.Clock.NODE;
    for (String name : leased) {
      NamedLimit limit = named.get(name);
      boolean isLeasable = limit != null && limit.limit().algorithm().isLeasable();
      if (!isLeasable || isByNodes || functions.containsKey(name)) {
        String reason =
            isByNodes
                ? "nodes decide by their own clocks"
                : "its subjects have numbers of their own";
        throw Expect.failure(
            "leases",
            "'" + name + "'",
            isLeasable
                ? "none, where " + reason
                : "the name of a token bucket or of a fixed window");
      }
    }
    Settings settings =
        new Settings(
            Settings.Origin.inCode(Registry.IN_CODE),
            new Settings.Counting(
                Optional.ofNullable(redis), denyCache, nodes, maxCounters, listener),
            new Settings.Requests(
                clientAddress,
                MatchOptions.DEFAULT,
                responses,
                delays,
                Optional.ofNullable(overload).map(it -> areShadows ? it.asShadow() : it)),
            new Settings.Limits(
                Map.copyOf(named), Set.copyOf(leased), inBytes, Map.copyOf(functions)),
            Settings.Rules.of(rules, Set.of(), onOutage, areShadows));
    return Registry.GLOBAL.of(settings);
  }

  private static void add(NamedLimit limit, Map<String, NamedLimit> named) {
    NamedLimit known = named.putIfAbsent(limit.name(), limit);
    if (known != null && !known.equals(limit)) {
      throw Expect.failure(
          "limits",
          "'%s' as %s".formatted(limit.name(), limit.limit()),
          "'%s', as elsewhere".formatted(known.limit()));
    }
  }
}

package dev.weir.config;

import dev.weir.config.WiredStores.StoreSettings;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.Advice;
import dev.weir.config.internal.read.ReferenceReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener;
import dev.weir.http.internal.check.PatternAdvice;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.internal.Closing;
import dev.weir.internal.Expect;
import dev.weir.internal.store.DigestTags;
import dev.weir.internal.store.Scheduler;
import dev.weir.near.TokenLeaseStore;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisStatus;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.SubjectTags;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The engine that runs while at least one {@link Weir} uses it. It contains the stores, which stay,
 * and the current configuration, which a reload replaces as a whole.
 *
 * <p>A request may be decided more than once, as by a filter and a provider, or after a forward. It
 * keeps the configuration that decided it first. Rules are charged once by their identity, and the
 * rules of another configuration have other identities.
 */
final class WeirRuntime implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.weir.config");

  /** The line of a start comes before any reply of Redis. */
  private static final String CONNECTS = ". Connects to Redis now: a warning follows if it is out";

  private final String node;
  private final Environment environment;
  private final String attribute = Snapshot.class.getName() + "." + UUID.randomUUID();
  private final EventCounts events = new EventCounts();
  private final GuardedRuleListener listeners = new GuardedRuleListener(events);
  private final WiredStores stores;
  private final List<Consumer<Rule>> checks = new CopyOnWriteArrayList<>();
  private final Set<String> contextPaths = ConcurrentHashMap.newKeySet();
  private final Reloads reloads;
  private final ShadowReminder shadow;
  private final NodesReminder nodes;
  private volatile StoreSettings storeSettings;
  private volatile Snapshot current;
  private final List<AutoCloseable> parts = new CopyOnWriteArrayList<>();

  /**
   * The environment in which an engine runs.
   *
   * @param node the name of this process among the application's, unless the settings name it
   * @param source by which it was opened first
   * @param pollers makes what checks files again and again
   */
  record Environment(
      String node, Variables variables, WeirSource source, Supplier<Scheduler> pollers) {}

  private WeirRuntime(
      Settings settings, Optional<ConfigDocument.File> document, Environment environment) {
    this.node = settings.counting().redis().flatMap(RedisOptions::node).orElse(environment.node());
    this.environment = environment;
    if (settings.counting().listener() != RuleListener.NONE) {
      listeners.add(settings.counting().listener());
    }
    this.storeSettings = new StoreSettings(settings);
    this.stores = WiredStores.open(node, settings, () -> storeSettings, listeners);
    try {
      RuleLimiter first =
          RuleLimiter.of(
              settings.rules().enabled(), stores.deciding(), limiterSettings(settings, listeners));
      this.current = snapshot(settings, storeSettings, first);
      this.reloads = new Reloads(this, document, environment);
      this.shadow = new ShadowReminder(this, environment.pollers());
      this.nodes = new NodesReminder(this, environment.pollers());
      parts.addAll(List.of(reloads, shadow, nodes, first, stores));
    } catch (RuntimeException | Error failed) {
      stores.close();
      throw failed;
    }
  }

  /** Starts the configured engine, read from this file if from any, and waits for no Redis. */
  static WeirRuntime start(
      Settings settings, Optional<ConfigDocument.File> document, Environment environment) {
    WeirRuntime runtime = new WeirRuntime(settings, document, environment);
    try {
      runtime.begin(settings);
      return runtime;
    } catch (RuntimeException | Error failed) {
      runtime.close();
      throw failed;
    }
  }

  private void begin(Settings settings) {
    boolean hasRedis = settings.counting().redis().isPresent();
    LOG.log(Level.INFO, () -> description() + (hasRedis ? CONNECTS : ""));
    String title = environment.source().titled(settings.name());
    advice(settings).forEach(this::warn);
    settings.origin().notes().forEach(note -> LOG.log(Level.INFO, title + ": " + note));
    reloads.begin(settings);
    shadow.follow(settings.rules().areShadows());
    nodes.follow(stores.redis().isPresent() ? settings.counting().nodes() : 1);
    String application = settings.counting().redis().map(RedisOptions::application).orElse("");
    parts.add(
        0, Management.show(this, application, environment.source().contextPath(), settings.name()));
    DoubleCharges.warnOfContainer(this);
    parts.add(ClassPreloader.start()::end);
  }

  static RuleLimiter.Settings limiterSettings(Settings settings, RuleListener listener) {
    return new RuleLimiter.Settings(
        settings.requests().clientAddress(),
        settings.requests().responses(),
        settings.counting().deadline(),
        listener,
        settings.requests().overload(),
        settings.limits().functions(),
        tags(settings));
  }

  private static SubjectTags tags(Settings settings) {
    return settings
        .counting()
        .redis()
        .map(RedisOptions::subjectTags)
        .orElseGet(DigestTags::ofProcess);
  }

  private Snapshot snapshot(Settings settings, StoreSettings charges, RuleLimiter limiter) {
    ReferenceReader references =
        new ReferenceReader(settings, environment.variables(), environment.source().classLoader());
    return new Snapshot(settings, charges, limiter, references, new ConcurrentHashMap<>());
  }

  private List<String> advice(Settings settings) {
    WeirSource source = environment.source();
    return advice(settings, source, contextPaths, Advice.hasAnnotation(source.classLoader()));
  }

  /**
   * Returns the advice about these settings in an application at these context paths.
   *
   * @param mayBeAnnotated whether the application may have annotations
   */
  static List<String> advice(
      Settings settings,
      WeirSource source,
      Collection<String> contextPaths,
      boolean mayBeAnnotated) {
    List<String> advice = new ArrayList<>(settings.advice());
    if (!mayBeAnnotated) {
      advice.addAll(
          Advice.ofUnusableRules(settings.rules().enabled(), settings.limits().byName().values()));
    }
    contextPaths.forEach(path -> advice.addAll(adviceAt(path, settings)));
    if (source.stage() == WeirSource.Stage.APPLICATION) {
      advice.addAll(PatternAdvice.ofContainerLogin(settings.rules().enabled()));
    }
    return advice;
  }

  private static List<String> adviceAt(String contextPath, Settings settings) {
    List<String> advice =
        new ArrayList<>(PatternAdvice.of(settings.rules().enabled(), contextPath));
    settings
        .requests()
        .overload()
        .ifPresent(overload -> advice.addAll(PatternAdvice.of(overload, contextPath)));
    return advice;
  }

  void warn(String advice) {
    LOG.log(Level.WARNING, environment.source().titled(settings().name()) + ": " + advice);
  }

  /** Warns of patterns that begin with this context path, once, and again of new ones. */
  synchronized void deployedAt(String contextPath) {
    if (contextPaths.add(contextPath)) {
      adviceAt(contextPath, settings()).forEach(this::warn);
    }
  }

  /** Waits until Redis, if there is one, has replied or is known to be out, so that it decides. */
  void awaitRedis() {
    stores.redis().ifPresent(RedisLimitStore::awaitAnswer);
  }

  WeirSource source() {
    return environment.source();
  }

  GuardedRuleListener listeners() {
    return listeners;
  }

  LimitStore store() {
    return new WiredStores.Unclosed(stores.deciding());
  }

  RequestLimiter limiter() {
    return current.limiter();
  }

  /** Returns the limiter of a request. Its first call keeps it for the request, as an attribute. */
  RequestLimiter limiter(RequestView request) {
    return snapshot(request).limiter();
  }

  private Snapshot snapshot(RequestView request) {
    if (request.attribute(attribute) instanceof Snapshot first) {
      return first;
    }
    Snapshot first = current;
    request.attribute(attribute, first);
    return first;
  }

  Settings settings() {
    return current.settings();
  }

  void liftBan(String name, List<String> values) throws StoreUnavailableException {
    List<Rule> rules = new ArrayList<>(settings().rules().enabled());
    current.bound().values().forEach(rules::addAll);
    Rule banning =
        rules.stream()
            .filter(rule -> rule.name().equals(name) && rule.onDenial().ban().isPresent())
            .findFirst()
            .orElseThrow(
                () -> Expect.failure("rule", "'" + name + "'", "the name of a rule that bans"));
    current.limiter().liftBan(banning, values);
  }

  /** Returns all rules that may decide now, with those that only annotations made. */
  Set<Rule> activeRules() {
    Set<Rule> rules = new LinkedHashSet<>(settings().rules().enabled());
    current.bound().values().forEach(rules::addAll);
    return rules;
  }

  /**
   * Requires that this reference leads to a rule, now and after every reload.
   *
   * @throws ConfigurationException when it does not
   */
  synchronized void bind(RuleReference reference) {
    Snapshot snapshot = current;
    if (snapshot.bound(reference).isEmpty()) {
      snapshot.bind(reference);
      snapshot.advice(reference).forEach(this::warn);
    }
  }

  List<Rule> bound(RuleReference reference) {
    return current
        .bound(reference)
        .orElseThrow(() -> new IllegalStateException(reference + ": not bound (expected: bound)"));
  }

  /** Returns the rules of the reference for this request, which may be older than its binding. */
  List<Rule> bound(RuleReference reference, RequestView request) {
    return snapshot(request).bound(reference).orElseGet(() -> bound(reference));
  }

  /**
   * Requires that every enabled rule, and every rule of an annotation after a reload, passes a
   * check, which throws an IllegalStateException otherwise.
   */
  synchronized void require(Consumer<Rule> check) {
    settings().rules().written().forEach(check);
    checks.add(check);
  }

  void requireNoLonger(Consumer<Rule> check) {
    checks.remove(check);
  }

  /**
   * Replaces the current configuration. Requests under way end with the old one.
   *
   * @throws ConfigurationException when it cannot be replaced; nothing has changed then
   */
  synchronized void replace(Settings settings) {
    current.requireRestartFor(settings);
    RuleLimiter limiter =
        current
            .limiter()
            .replacedBy(settings.rules().enabled(), limiterSettings(settings, listeners));
    Snapshot next = snapshot(settings, new StoreSettings(settings), limiter);
    next.bindAllOf(current, checks);
    List<String> given = advice(settings());
    storeSettings = next.storeSettings(); // first: a request of the next snapshot needs its shares
    current = next;
    limiter.takeEffect();
    shadow.follow(settings.rules().areShadows());
    nodes.follow(stores.redis().isPresent() ? settings.counting().nodes() : 1);
    advice(settings).stream().filter(advice -> !given.contains(advice)).forEach(this::warn);
  }

  Reloads reloads() {
    return reloads;
  }

  WeirStatus status() {
    Optional<RedisStatus> redis = stores.redis().map(RedisLimitStore::status);
    boolean redisDecides =
        redis.stream()
            .flatMap(status -> status.primaries().stream())
            .anyMatch(primary -> primary.breaker() == RedisStatus.Breaker.CLOSED);
    int liveNodes = redis.map(RedisStatus::liveNodes).orElse(settings().counting().nodes());
    return new WeirStatus(
        Version.TEXT,
        settings().counting().redis().map(RedisOptions::application),
        node,
        redisDecides ? Source.REDIS : Source.LOCAL,
        redis,
        liveNodes,
        stores.local().nodes(),
        reloads.loaded(),
        settings().rules().areShadows(),
        current.limiter().counts(),
        current.limiter().waiting(),
        counters(),
        stores.leases().map(TokenLeaseStore::leases).orElse(0),
        events.events(activeRules()),
        current.limiter().inFlight());
  }

  private WeirStatus.Counters counters() {
    Map<String, Long> overflowed = new TreeMap<>();
    storeSettings.names().forEach(limit -> overflowed.put(limit, 0L));
    overflowed.putAll(stores.local().overflowed());
    return new WeirStatus.Counters(
        stores.local().size(), settings().counting().maxCounters(), overflowed);
  }

  String description() {
    Settings settings = settings();
    return "%s: rules %d, %s, nodes %d, client address: %s; this is node %s"
        .formatted(
            environment.source().titled(settings.name()),
            settings.rules().enabled().size(),
            settings.counting().redis().map(Object::toString).orElse("in process"),
            settings.counting().nodes(),
            settings.requests().clientAddress(),
            node);
  }

  /** Closes every part, and throws nothing: another engine is closed after this one. */
  @Override
  public void close() {
    try {
      Closing.all(parts);
    } catch (RuntimeException | Error failed) {
      LOG.log(
          Level.ERROR,
          environment.source().titled(settings().name())
              + ": not closed as a whole: threads or connections may stay",
          failed);
    }
  }
}

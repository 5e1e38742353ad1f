package dev.weir.config;

import dev.weir.LimiterListener;
import dev.weir.Source;
import dev.weir.http.RequestLimiter;
import dev.weir.http.Rule;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisStatus;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What runs while at least one {@link Weir} uses it. */
final class Engine implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.weir.config");

  private final String node;
  private final Settings settings;
  private final ReferenceReader references;
  private final Map<RuleReference, Optional<Rule>> bound = new ConcurrentHashMap<>();
  private final Demand demand = new Demand();
  private final Tally tally;
  private final Stores stores;
  private final RequestLimiter limiter;

  private Engine(String node, Settings settings, ReferenceReader references) {
    this.node = settings.redis().flatMap(RedisOptions::node).orElse(node);
    this.settings = settings;
    this.references = references;
    LimiterListener listener = LimiterListener.guarded(settings.listener());
    this.tally = new Tally(listener);
    settings.rules().forEach(demand::add);
    this.stores = Stores.open(this.node, settings, demand, listener);
    this.limiter = limiter(settings, stores, tally);
  }

  /**
   * Starts what is configured and waits for nothing; Redis may be up or down.
   *
   * @param node what this process is called among the application's, unless the settings call it
   *     something else
   */
  static Engine start(
      String node, Settings settings, Environment environment, ClassLoader classLoader) {
    Engine engine =
        new Engine(node, settings, new ReferenceReader(settings, environment, classLoader));
    LOG.log(Level.INFO, engine::description);
    settings.advice().forEach(advice -> LOG.log(Level.WARNING, settings.name() + ": " + advice));
    settings.notes().forEach(note -> LOG.log(Level.INFO, settings.name() + ": " + note));
    return engine;
  }

  private static RequestLimiter limiter(Settings settings, Stores stores, Tally tally) {
    try {
      return new RequestLimiter(
          settings.rules(),
          stores.deciding(),
          new RequestLimiter.Settings(
              settings.clientAddress(), settings.responses(), settings.deadline(), tally));
    } catch (RuntimeException failed) {
      stores.close();
      throw failed;
    }
  }

  /** Gives Redis, if there is one, a moment to answer. */
  void awaitRedis() {
    stores.awaitRedis();
  }

  RequestLimiter limiter() {
    return limiter;
  }

  List<Rule> rules() {
    return settings.rules();
  }

  /** The same object for the same reference, since a rule charges a request once. */
  List<Rule> bind(RuleReference reference) {
    Optional<Rule> rule = bound.computeIfAbsent(reference, this::made);
    rule.ifPresent(demand::add);
    return rule.stream().toList();
  }

  private Optional<Rule> made(RuleReference reference) {
    Optional<Rule> rule = references.read(reference);
    rule.ifPresent(this::advise);
    return rule;
  }

  /** What there is to say of a rule that only an annotation has made. */
  private void advise(Rule made) {
    List<Rule> all = new ArrayList<>(settings.rules());
    all.add(made);
    List<String> given = settings.advice();
    settings.advice(all).stream()
        .filter(advice -> !settings.rules().contains(made) && !given.contains(advice))
        .forEach(advice -> LOG.log(Level.WARNING, settings.name() + ": " + advice));
  }

  WeirStatus status() {
    Optional<RedisStatus> redis = stores.redisStatus();
    Source store = stores.inUse();
    int liveNodes = redis.map(RedisStatus::liveNodes).orElse(settings.nodes());
    return new WeirStatus(node, store, redis, liveNodes, tally.decisions());
  }

  private String description() {
    return "%s: limits %d, rules %d, %s; this is node %s"
        .formatted(
            settings.name(),
            settings.limits().size(),
            settings.rules().size(),
            settings.redis().map(Object::toString).orElse("in process, nodes " + settings.nodes()),
            node);
  }

  @Override
  public void close() {
    stores.close();
  }
}

package dev.weir.config;

import dev.weir.Holds;
import dev.weir.LimitStore;
import dev.weir.Source;
import dev.weir.Waits;
import dev.weir.http.OverloadGate;
import dev.weir.http.RequestLimiter;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisStatus;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * What runs while at least one {@link Weir} uses it: the stores, which stay, and the configuration
 * that decides, which a reload replaces as a whole.
 *
 * <p>A request that is decided more than once, as by a filter and a provider or where it is
 * forwarded, keeps to the configuration that decided it first: rules are charged once by their
 * identity, and another configuration's are others.
 */
final class Engine implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.weir.config");

  private final String node;
  private final Surroundings surroundings;
  private final String attribute = Generation.class.getName() + "." + UUID.randomUUID();
  private final Listeners listeners;
  private final Tally tally;
  private final AtomicReference<Needs> needs = new AtomicReference<>();
  private final Stores stores;
  private final Holds holds;
  private final Waits waits;
  private final OverloadGate gate = new OverloadGate();
  private final List<Consumer<Rule>> checks = new CopyOnWriteArrayList<>();
  private final Reloads reloads;
  private volatile Generation current;
  private volatile Runnable hide = () -> {};

  private Engine(
      String node,
      Settings settings,
      Optional<ConfigDocument.File> document,
      Surroundings surroundings) {
    this.node = settings.redis().flatMap(RedisOptions::node).orElse(node);
    this.surroundings = surroundings;
    this.listeners = new Listeners(settings.listener());
    this.tally = new Tally(listeners);
    needs.set(Needs.of(settings));
    this.stores = Stores.open(this.node, settings, needs::get, listeners);
    try {
      this.holds = new Holds(stores.deciding(), settings.deadline(), listeners);
      this.waits = new Waits(holds);
      gate.follow(settings.overload());
      this.current = new Generation(settings, surroundings, stores.deciding(), waits, gate, tally);
      needs.set(Needs.of(current));
      this.reloads = new Reloads(this, document.flatMap(ConfigDocument.File::again), surroundings);
    } catch (RuntimeException | Error failed) {
      stores.close();
      throw failed;
    }
  }

  /**
   * Starts what is configured and waits for nothing; Redis may be up or down.
   *
   * @param node what this process is called among the application's, unless the settings call it
   *     something else
   * @param document the file that the settings were read from, if it was one
   */
  static Engine start(
      String node,
      Settings settings,
      Optional<ConfigDocument.File> document,
      Surroundings surroundings) {
    Engine engine = new Engine(node, settings, document, surroundings);
    try {
      engine.begin(settings, document.map(ConfigDocument.File::text).orElse(""));
      return engine;
    } catch (RuntimeException | Error failed) {
      engine.close();
      throw failed;
    }
  }

  private void begin(Settings settings, String text) {
    LOG.log(Level.INFO, this::description);
    advice(settings).forEach(advice -> LOG.log(Level.WARNING, settings.name() + ": " + advice));
    settings.notes().forEach(note -> LOG.log(Level.INFO, settings.name() + ": " + note));
    reloads.begin(settings, text);
    String application = settings.redis().map(RedisOptions::application).orElse("");
    hide = Management.show(this, application, settings.name());
  }

  private List<String> advice(Settings settings) {
    List<String> advice = new ArrayList<>(settings.advice());
    advice.addAll(RateLimitedAnnotations.advice(settings.rules(), surroundings.classLoader()));
    return advice;
  }

  /** Gives Redis, if there is one, a moment to answer. */
  void awaitRedis() {
    stores.awaitRedis();
  }

  Listeners listeners() {
    return listeners;
  }

  LimitStore store() {
    return new LentStore(stores.deciding());
  }

  RequestLimiter limiter() {
    return current.limiter();
  }

  /** Of the configuration that decides this request. */
  RequestLimiter limiter(RequestView request) {
    return generation(request).limiter();
  }

  private Generation generation(RequestView request) {
    if (request.attribute(attribute) instanceof Generation first) {
      return first;
    }
    Generation first = current;
    request.attribute(attribute, first);
    return first;
  }

  Delays delays() {
    return current.settings().delays();
  }

  List<Rule> rules() {
    return current.settings().rules();
  }

  /**
   * Makes sure that this reference leads to a rule, now and after every reload.
   *
   * @throws ConfigurationException when it does not
   */
  synchronized void bind(RuleReference reference) {
    Generation generation = current;
    if (generation.bound(reference).isEmpty()) {
      String name = generation.settings().name();
      generation.bind(reference).stream()
          .flatMap(made -> generation.advice(made).stream())
          .forEach(advice -> LOG.log(Level.WARNING, name + ": " + advice));
    }
  }

  /** What the reference leads to now. */
  List<Rule> bound(RuleReference reference) {
    return current.bound(reference).orElse(List.of());
  }

  /** What it led to in the configuration that decides this request, if it was bound by then. */
  List<Rule> bound(RuleReference reference, RequestView request) {
    return generation(request).bound(reference).orElseGet(() -> bound(reference));
  }

  /**
   * Makes sure of this for every enabled rule, and every rule of an annotation after a reload.
   *
   * @param check throws an IllegalStateException for a rule that cannot be obeyed
   */
  synchronized void require(Consumer<Rule> check) {
    rules().forEach(check);
    checks.add(check);
  }

  void requireNoLonger(Consumer<Rule> check) {
    checks.remove(check);
  }

  /**
   * Puts this configuration in place of the one that runs; requests under way end with the old.
   *
   * @throws ConfigurationException when it cannot be; then nothing has changed
   */
  synchronized void replace(Settings settings) {
    RestartOnly.refuse(current.settings(), settings);
    Generation next = new Generation(settings, surroundings, stores.deciding(), waits, gate, tally);
    next.succeed(current, checks);
    List<String> given = advice(current.settings());
    current = next;
    gate.follow(settings.overload());
    needs.set(Needs.of(next));
    advice(settings).stream()
        .filter(advice -> !given.contains(advice))
        .forEach(advice -> LOG.log(Level.WARNING, settings.name() + ": " + advice));
  }

  Reloads reloads() {
    return reloads;
  }

  WeirStatus status() {
    Optional<RedisStatus> redis = stores.redisStatus();
    Source store = stores.inUse();
    int liveNodes = redis.map(RedisStatus::liveNodes).orElse(current.settings().nodes());
    return new WeirStatus(
        node,
        store,
        redis,
        liveNodes,
        reloads.loaded(),
        tally.decisions(),
        waits.waiting(),
        tally.delayed(),
        gate.standing());
  }

  String description() {
    Settings settings = current.settings();
    return "%s: rules %d, %s, nodes %d; this is node %s"
        .formatted(
            settings.name(),
            settings.rules().size(),
            settings.redis().map(Object::toString).orElse("in process"),
            settings.nodes(),
            node);
  }

  @Override
  public void close() {
    hide.run();
    reloads.close();
    waits.close();
    holds.close();
    stores.close();
  }
}

package dev.weir.config;

import dev.weir.LimitStore;
import dev.weir.LimiterListener;
import dev.weir.config.Registry.Lease;
import dev.weir.http.RequestLimiter;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The running whole: stores, rules and the limiter that adapters ask. Thread-safe.
 *
 * <p>Those who {@linkplain #open open} the same configuration in one application share one
 * connection and one state; the last to close stops it. Different configurations in one application
 * run side by side as one node, each with connections and local counters of its own: a limit that
 * two of them name is granted twice where Redis does not count it, so what belongs together is
 * better said in one file.
 */
public final class Weir implements AutoCloseable {

  private final ClassLoader classLoader;
  private final Registry registry;
  private final Supplier<ConfigurationException> missing;
  private final List<Binding> pending = new ArrayList<>();
  private final List<Consumer<Rule>> checks = new CopyOnWriteArrayList<>();
  private final List<LimiterListener> listeners = new CopyOnWriteArrayList<>();
  private final Registry.Waiting waiting = new Joining();
  private volatile @Nullable Lease lease;
  private boolean isClosed;

  Weir(Registry registry, ClassLoader classLoader, Supplier<ConfigurationException> missing) {
    this.registry = registry;
    this.classLoader = classLoader;
    this.missing = missing;
  }

  /**
   * Opens what is found from this source: the init-param {@code config}, a rule of init-params, the
   * system property {@code weir.config}, the environment's {@code WEIR_CONFIG}, {@code
   * /WEB-INF/weir.yaml}, or {@code weir.yaml} on the class path, in this order. It starts whether
   * Redis is up or down, and gives it a third of a second to answer first.
   *
   * @throws ConfigurationException when there is none, or with everything that is wrong with it;
   *     nothing is left running then
   */
  public static Weir open(WeirSource source) {
    return new Opening(Registry.GLOBAL, Environment.SYSTEM).open(source);
  }

  /**
   * As {@link #open}; but where nothing is found, joins what the application opened first or, if
   * that is yet to come, will open first. Until then {@link #bind} takes notes and requests cannot
   * be decided. This is for an adapter that has no configuration of its own beside one that may.
   *
   * @throws ConfigurationException with everything that is wrong with what is found
   */
  public static Weir join(WeirSource source) {
    return new Opening(Registry.GLOBAL, Environment.SYSTEM).join(source);
  }

  /**
   * Starts a configuration written in YAML. It is shared with nobody but those that {@linkplain
   * #join join}.
   *
   * @throws ConfigurationException with everything that is wrong
   */
  public static Weir of(String yaml) {
    return new Opening(Registry.GLOBAL, Environment.SYSTEM).of(yaml);
  }

  /** A configuration made by code; started, it is shared as that of {@link #of} is. */
  public static WeirBuilder builder() {
    return new WeirBuilder();
  }

  /**
   * What decides requests by the configuration that holds now. It keeps to that: who serves
   * requests for longer wants {@link #limiters}.
   *
   * @throws ConfigurationException when this waits for a configuration that nobody has opened
   * @throws IllegalStateException when this is closed
   */
  public RequestLimiter limiter() {
    return engine().limiter();
  }

  /**
   * What decides a request: by the configuration that holds when it is first asked for that
   * request, whoever asks, and by the same one ever after, so that a reload in between does not
   * charge it twice. The function may be kept; once this is closed, what it gives decides as
   * without a store.
   *
   * @throws ConfigurationException when this waits for a configuration that nobody has opened
   * @throws IllegalStateException when this is closed
   */
  public Function<RequestView, RequestLimiter> limiters() {
    return engine()::limiter;
  }

  /**
   * What decides, for limiters in code: Redis and, while that is gone, this node by its share. It
   * is there as long as this is; closing it closes nothing.
   *
   * @throws ConfigurationException when this waits for a configuration that nobody has opened
   * @throws IllegalStateException when this is closed
   */
  public LimitStore store() {
    return engine().store();
  }

  /**
   * Reads the file anew and takes it up, all of it or nothing, whether or not it is watched.
   *
   * @throws ConfigurationException with everything that is wrong with it, what only a restart could
   *     change, or that there is no file to read again; then nothing has changed
   * @throws IllegalStateException when this is closed
   */
  public void reload() {
    engine().reloads().byHand();
  }

  /**
   * Makes sure of something for each rule that is enabled and, after a reload, for each one then,
   * those of annotations among them: a configuration that has another kind is refused.
   *
   * @param check throws an IllegalStateException, which says why a rule cannot be obeyed
   * @throws IllegalStateException for a rule that holds now, or when this is closed
   * @throws ConfigurationException when this waits for a configuration that nobody has opened
   */
  public void require(Consumer<Rule> check) {
    engine().require(check);
    checks.add(check);
  }

  /**
   * Tells this listener of what happens from now on, beside the configured one. Whoever shares this
   * configuration is told of the same.
   *
   * @throws ConfigurationException when this waits for a configuration that nobody has opened
   * @throws IllegalStateException when this is closed
   */
  public void addListener(LimiterListener listener) {
    engine().listeners().add(listener);
    listeners.add(listener);
  }

  /** Tells it nothing more; at the latest, when this is closed. */
  public void removeListener(LimiterListener listener) {
    if (listeners.remove(listener)) {
      engine().listeners().remove(listener);
    }
  }

  /**
   * How requests wait that a rule delays; the same while this is open.
   *
   * @throws ConfigurationException when this waits for a configuration that nobody has opened
   * @throws IllegalStateException when this is closed
   */
  public Delays delays() {
    return engine().delays();
  }

  /** The rules that are enabled, in order; without those that only annotations made. */
  public List<Rule> rules() {
    return engine().rules();
  }

  /**
   * Finds or makes the rule for what an annotation says, for {@link RequestLimiter#limit}. A
   * configuration that has no such rule or limit any longer is not taken up.
   *
   * @return none when the rule is disabled, otherwise one. While this waits, asking for it throws;
   *     the reference is then judged when a configuration is opened, and refuses it if need be
   * @throws ConfigurationException when there is no such rule or limit, naming the nearest
   */
  public BoundRules bind(RuleReference reference) {
    Binding binding = new Binding(reference);
    Optional<Engine> running = runningOrNoted(binding);
    running.ifPresent(binding::resolve);
    return binding;
  }

  /** How it stands now. */
  public WeirStatus status() {
    return engine().status();
  }

  /** Gives this back, and stops what nobody else uses. Closing twice is closing once. */
  @Override
  public void close() {
    Lease given;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      given = lease;
      lease = null;
    }
    if (given != null) {
      checks.forEach(given.engine()::requireNoLonger);
      listeners.forEach(given.engine().listeners()::remove);
      listeners.clear();
      given.close();
    } else {
      registry.leave(classLoader, waiting);
    }
  }

  Weir with(Lease given) {
    waiting.join(given);
    return this;
  }

  Weir awaiting() {
    registry.await(classLoader, waiting);
    return this;
  }

  private Engine engine() {
    Lease running = lease;
    return running == null ? none() : running.engine();
  }

  private synchronized Engine none() {
    if (lease != null) {
      return lease.engine();
    }
    if (isClosed) {
      throw new IllegalStateException("weir: closed (expected: open)");
    }
    throw missing.get();
  }

  /** Nothing is noted between the check and the joining, which hold the registry's lock. */
  private Optional<Engine> runningOrNoted(Binding binding) {
    Lease running = lease;
    if (running != null) {
      return Optional.of(running.engine());
    }
    synchronized (registry) {
      synchronized (this) {
        if (lease != null || isClosed) {
          return Optional.of(engine());
        }
        pending.add(binding);
        return Optional.empty();
      }
    }
  }

  private final class Joining implements Registry.Waiting {

    /** Judges what was bound while waiting, before anything else may be asked of this. */
    @Override
    public void check(Engine engine) {
      synchronized (Weir.this) {
        pending.forEach(binding -> engine.bind(binding.reference));
      }
    }

    @Override
    public void join(Lease given) {
      synchronized (Weir.this) {
        if (isClosed) {
          given.close();
          return;
        }
        pending.forEach(binding -> binding.engine = given.engine());
        pending.clear();
        lease = given;
      }
    }
  }

  private final class Binding implements BoundRules {

    private final RuleReference reference;
    private volatile @Nullable Engine engine;

    private Binding(RuleReference reference) {
      this.reference = reference;
    }

    private void resolve(Engine running) {
      running.bind(reference);
      engine = running;
    }

    @Override
    public List<Rule> get() {
      return engine().bound(reference);
    }

    @Override
    public List<Rule> of(RequestView request) {
      return engine().bound(reference, request);
    }

    private Engine engine() {
      Engine running = engine;
      if (running == null) {
        throw missing.get();
      }
      return running;
    }
  }
}

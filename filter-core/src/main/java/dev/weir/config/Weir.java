package dev.weir.config;

import dev.weir.config.Registry.Lease;
import dev.weir.http.RequestLimiter;
import dev.weir.http.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private final Registry.Waiting waiting = this::join;
  private @Nullable Lease lease;
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
   * What decides requests.
   *
   * @throws ConfigurationException when this waits for a configuration that nobody has opened
   * @throws IllegalStateException when this is closed
   */
  public RequestLimiter limiter() {
    return engine().limiter();
  }

  /** The rules that are enabled, in order; without those that only annotations made. */
  public List<Rule> rules() {
    return engine().rules();
  }

  /**
   * Finds or makes the rule for what an annotation says, for {@link RequestLimiter#limit}.
   *
   * @return none when the rule is disabled, otherwise one. While this waits, asking for it throws;
   *     the reference is then judged when a configuration is opened, and refuses it if need be
   * @throws ConfigurationException when there is no such rule or limit, naming the nearest
   */
  public Supplier<List<Rule>> bind(RuleReference reference) {
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
      given.close();
    } else {
      registry.leave(classLoader, waiting);
    }
  }

  Weir with(Lease given) {
    join(given);
    return this;
  }

  Weir awaiting() {
    registry.await(classLoader, waiting);
    return this;
  }

  /** Judges what was bound while waiting, before anything else may be asked of this. */
  private synchronized void join(Lease given) {
    if (isClosed) {
      given.close();
      return;
    }
    pending.forEach(binding -> binding.resolve(given.engine()));
    pending.clear();
    lease = given;
  }

  private synchronized Engine engine() {
    if (lease != null) {
      return lease.engine();
    }
    if (isClosed) {
      throw new IllegalStateException("weir: closed (expected: open)");
    }
    throw missing.get();
  }

  private synchronized Optional<Engine> runningOrNoted(Binding binding) {
    if (lease != null || isClosed) {
      return Optional.of(engine());
    }
    pending.add(binding);
    return Optional.empty();
  }

  private final class Binding implements Supplier<List<Rule>> {

    private final RuleReference reference;
    private volatile @Nullable List<Rule> rules;

    private Binding(RuleReference reference) {
      this.reference = reference;
    }

    private void resolve(Engine engine) {
      rules = engine.bind(reference);
    }

    @Override
    public List<Rule> get() {
      List<Rule> resolved = rules;
      if (resolved == null) {
        throw missing.get();
      }
      return resolved;
    }
  }
}

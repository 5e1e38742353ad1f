package dev.weir.config;

import dev.weir.config.Registry.Running;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The running limiter as a whole: the stores, the rules and the limiter that adapters call.
 * Thread-safe.
 *
 * <pre>{@code
 * try (Weir weir = Weir.open(Path.of("weir.yaml"))) {
 *   System.out.println(weir.rules());
 * }
 * }</pre>
 *
 * <p>Callers that {@linkplain #open(WeirSource) open} the same configuration in one application
 * share one connection and one state. The last to close stops it. Different configurations in one
 * application run independently as one node, each with its own connections and local counters. If
 * two of them name the same limit, it is granted twice where Redis does not count it. Related
 * limits therefore belong in one file.
 *
 * <p>Methods that need the running limiter throw a {@link ConfigurationException} while this waits
 * for a configuration that has not been opened yet, and an {@link IllegalStateException} when this
 * is closed.
 */
public final class Weir implements AutoCloseable {

  private final ClassLoader classLoader;
  private final Registry registry;
  private final Supplier<ConfigurationException> missing;

  /** References that were bound while this waits. The registry's lock guards them. */
  private final List<RuleReference> pending = new ArrayList<>();

  private final List<Consumer<Rule>> checks = new CopyOnWriteArrayList<>();
  private final List<RuleListener> listeners = new CopyOnWriteArrayList<>();

  /** The engine in use. It is kept when this is closed: bound rules are still returned then. */
  private volatile @Nullable Running engine;

  private volatile boolean isClosed;

  Weir(Registry registry, ClassLoader classLoader, Supplier<ConfigurationException> missing) {
    this.registry = registry;
    this.classLoader = classLoader;
    this.missing = missing;
  }

  /**
   * Opens the configuration of this source, the first one found in this order. The adapter's own
   * are the init-param {@code config}, or a rule of init-params. Next are the system property
   * {@code weir.config} and the environment's {@code WEIR_CONFIG}. Last are {@code
   * /WEB-INF/weir.yaml} and {@code weir.yaml} on the class path. It starts whether Redis is up or
   * down, and first waits for Redis, as {@code RedisLimitStore.awaitAnswer} says.
   *
   * @throws ConfigurationException when there is none, or with every problem in it; nothing is left
   *     running then
   */
  public static Weir open(WeirSource source) {
    return Registry.GLOBAL.open(source);
  }

  /**
   * Opens a configuration file in code. It is reloaded when it changes, as any file is. Adapters of
   * the application that are configured with the same file share it.
   *
   * @param file relative to the working directory, or absolute
   * @throws ConfigurationException when it does not exist or cannot be read, or with every problem
   *     in it; nothing is left running then
   */
  public static Weir open(Path file) {
    return Registry.GLOBAL.open(file);
  }

  /**
   * Opens as {@link #open(WeirSource)} does. If it finds nothing, it joins the configuration that
   * the application opened first or will open first. Until then, {@link #bind} records references,
   * and requests cannot be decided. This is for an adapter without a configuration of its own,
   * alongside one that may have one.
   *
   * @throws ConfigurationException with every problem in the configuration found
   */
  public static Weir join(WeirSource source) {
    return Registry.GLOBAL.join(source);
  }

  /**
   * Starts a configuration written in YAML. {@link #open(Path)} opens a file. Only callers that
   * {@linkplain #join join} share it.
   *
   * @throws ConfigurationException with every problem
   */
  public static Weir of(String yaml) {
    return Registry.GLOBAL.of(yaml);
  }

  /**
   * Reads a configuration file, and starts nothing: no thread, no connection, no watch of files,
   * and no name in JMX. Files that it names are read, and classes that it names are loaded and
   * made.
   *
   * @param file relative to the working directory, or absolute
   * @throws ConfigurationException when it does not exist or cannot be read, or with every problem
   *     in it
   */
  public static Configuration read(Path file, ReadOptions options) {
    return Registry.GLOBAL.read(file, options);
  }

  /**
   * Reads the configuration that {@link #open(WeirSource)} would open, as {@link #read(Path,
   * ReadOptions)} does.
   *
   * @throws ConfigurationException when there is none, or with every problem in it
   */
  public static Configuration read(WeirSource source, ReadOptions options) {
    return Registry.GLOBAL.read(source, options);
  }

  /**
   * Reads a configuration written in YAML, as {@link #read(Path, ReadOptions)} does.
   *
   * @throws ConfigurationException with every problem
   */
  public static Configuration read(String yaml, ReadOptions options) {
    return Registry.GLOBAL.read(yaml, options);
  }

  /** Returns a builder of a configuration. Once started, it is shared as that of {@link #of} is. */
  public static WeirBuilder builder() {
    return new WeirBuilder();
  }

  /**
   * Returns the limiter of the current configuration. It does not follow reloads. An adapter that
   * serves requests for longer requires {@link #limiters}.
   */
  public RequestLimiter limiter() {
    return runtime().limiter();
  }

  /**
   * Returns a function from a request to its limiter. The configuration that is current at the
   * first call for a request decides that request from then on, for every caller. A reload in
   * between therefore does not charge it twice. The function may be kept. After this is closed, its
   * limiters decide as they do without a store.
   */
  public Function<RequestView, RequestLimiter> limiters() {
    return runtime()::limiter;
  }

  /**
   * Returns the store for limiters in code: Redis or, during its outage, this node with its share.
   * It is usable until this is closed. Closing the store itself has no effect.
   */
  public LimitStore store() {
    return runtime().store();
  }

  /**
   * Reloads the file, all of it or nothing, whether or not it is watched.
   *
   * @throws ConfigurationException with every problem in it, with changes that require a restart,
   *     or when there is no file to read again; nothing has changed then
   */
  public void reload() {
    runtime().reloads().byHand();
  }

  /**
   * Lifts the ban of a subject by a rule, on all nodes, and forgets the denials that were counted.
   * Other nodes let the subject pass within the time of their deny cache.
   *
   * @param values one for each part of the rule's subject, in order: {@code "203.0.113.7"} for
   *     {@code ip}, and the address and the name for {@code basic-user}
   * @throws IllegalArgumentException when no enabled rule of this name bans, or its subject has
   *     other parts
   * @throws StoreUnavailableException when Redis does not respond; then the ban is lifted on this
   *     node alone, until Redis responds
   */
  public void liftBan(String rule, String... values) throws StoreUnavailableException {
    runtime().liftBan(rule, List.of(values));
  }

  /**
   * Requires that every enabled rule passes a check, now and after each reload. Later checks
   * include the rules of annotations. A configuration with a rule that fails is refused.
   *
   * @param check throws an IllegalStateException with the reason why a rule cannot be applied
   * @throws IllegalStateException for a current rule
   */
  public void require(Consumer<Rule> check) {
    runtime().require(check);
    checks.add(check);
  }

  /**
   * Notifies this listener of events from now on, in addition to the configured one. It also
   * receives the events of all other users of this configuration.
   */
  public void addListener(RuleListener listener) {
    runtime().listeners().add(listener);
    listeners.add(listener);
  }

  /** Stops notifying this listener. Closing this does the same. */
  public void removeListener(RuleListener listener) {
    if (listeners.remove(listener)) {
      runtime().listeners().remove(listener);
    }
  }

  /** Returns how delayed requests wait. It stays the same while this is open. */
  public Delays delays() {
    return runtime().settings().requests().delays();
  }

  /** Returns the enabled rules, in order, without those that only annotations made. */
  public List<Rule> rules() {
    return runtime().settings().rules().enabled();
  }

  /**
   * Finds or makes the rule of an annotation. A later configuration without such a rule or limit is
   * refused. While this waits, the reference is only recorded. It is then checked when a
   * configuration is opened, and may cause its refusal.
   *
   * @throws ConfigurationException when there is no such rule or limit, naming the nearest
   */
  public void bind(RuleReference reference) {
    if (engine == null) {
      synchronized (registry) { // no engine joins between the check and the recording
        if (engine == null && !isClosed) {
          pending.add(reference);
          return;
        }
      }
    }
    runtime().bind(reference);
  }

  /**
   * Returns the rule of a {@linkplain #bind bound} reference in the current configuration, or an
   * empty list if it is disabled.
   *
   * @throws IllegalStateException when the reference was never bound
   */
  public List<Rule> rules(RuleReference bound) {
    return joined().bound(bound);
  }

  /**
   * Returns the same for the configuration that decides this request, as {@link #limiters} defines
   * it. The list is for {@link RequestLimiter#limit}.
   *
   * @throws IllegalStateException when the reference was never bound
   */
  public List<Rule> rules(RuleReference bound, RequestView request) {
    return joined().bound(bound, request);
  }

  /** Returns how the address of a client is found. */
  public ClientAddress clientAddress() {
    return runtime().settings().requests().clientAddress();
  }

  /** Returns the longest time of a decision, whatever the store does. */
  public Duration deadline() {
    return runtime().settings().counting().deadline();
  }

  /**
   * Warns of patterns that begin with the context path of a web application that uses this. Paths
   * are matched within the application, so they match no request.
   *
   * @param contextPath as servlets return it: empty for the root
   */
  public void deployedAt(String contextPath) {
    runtime().deployedAt(contextPath);
  }

  /** Returns the current status. */
  public WeirStatus status() {
    return runtime().status();
  }

  /**
   * Returns the metrics that a status has. Counters of rules and limits exist at zero before their
   * first event. A reload, a rule of an annotation, or the first event of a rare kind adds some, so
   * look again from time to time. Those of a rule that was removed before its first event
   * disappear.
   */
  public List<StatusMetric> metrics() {
    return StatusMetrics.of(status(), activeRules());
  }

  /** Returns all rules that may decide now, with those that only annotations made. */
  Set<Rule> activeRules() {
    return runtime().activeRules();
  }

  /**
   * Releases the engine, and stops it if it has no other user. Every part of it is closed, even if
   * another part fails, which is logged. Closing twice has no further effect.
   */
  @Override
  public void close() {
    synchronized (registry) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    Running joined = engine;
    if (joined == null) {
      registry.leave(classLoader, this);
      return;
    }
    checks.forEach(joined.runtime()::requireNoLonger);
    listeners.forEach(joined.runtime().listeners()::remove);
    listeners.clear();
    registry.leave(classLoader, joined);
  }

  /**
   * Checks the references that were bound while waiting, and continues to wait. The registry holds
   * its lock.
   *
   * @throws ConfigurationException when the engine lacks one of them
   */
  void check(WeirRuntime runtime) {
    pending.forEach(runtime::bind);
  }

  /**
   * Uses an engine, which this has checked if it was waiting. Does nothing once this is closed.
   * Throws nothing. The registry holds its lock.
   */
  void join(Running running) {
    if (!isClosed) {
      pending.clear();
      running.users().incrementAndGet();
      engine = running;
    }
  }

  private WeirRuntime runtime() {
    if (isClosed) {
      throw new IllegalStateException("weir: closed (expected: open)");
    }
    return joined();
  }

  /** Returns the engine, even after this was closed. */
  private WeirRuntime joined() {
    Running joined = engine;
    if (joined == null) {
      throw missing.get();
    }
    return joined.runtime();
  }

  /** How delayed requests wait in a servlet container. */
  public enum Delays {

    /**
     * Waits without a thread, unless a filter alongside the delaying one could be skipped by the
     * later dispatch. In that case, requests wait on their threads. A request that waited without a
     * thread continues by an asynchronous dispatch. That dispatch passes only through filters that
     * are mapped to {@code ASYNC}.
     */
    AUTO,

    /**
     * Waits without a thread wherever the request supports it. Every filter is mapped to {@code
     * ASYNC}.
     */
    ASYNC,

    /** Waits on the request threads. Only a few of them wait at a time. */
    ON_THREAD
  }
}

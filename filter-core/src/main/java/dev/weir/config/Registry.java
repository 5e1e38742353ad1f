package dev.weir.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Which engines run, for each application, and how many use each: the first to open a configuration
 * starts its engine, the last to close it stops it. One lock guards all; opening does not wait for
 * Redis, so nobody holds it for long.
 *
 * <p>An application is known by its class loader, for the library may lie outside of it and serve
 * many. Its engines are one node, however many Redis hears. Nothing of an application is kept once
 * its last engine has stopped.
 */
final class Registry {

  static final Registry GLOBAL = new Registry();

  private final Map<ClassLoader, Application> applications = new HashMap<>();

  /** Waits for the first engine of an application. Called under the registry's lock. */
  interface Waiting {

    /**
     * Checks the engine, and still waits.
     *
     * @throws ConfigurationException when the engine lacks what is needed of it
     */
    void check(Engine engine);

    /** Takes an engine that it has checked since the registry was locked; throws nothing. */
    void join(Lease lease);
  }

  /** The use of a running engine, to be given back once. */
  final class Lease implements AutoCloseable {

    private final Application application;
    private final Running running;
    private boolean isOpen = true;

    private Lease(Application application, Running running) {
      this.application = application;
      this.running = running;
      running.users++;
    }

    Engine engine() {
      return running.engine;
    }

    @Override
    public void close() {
      Optional<Engine> stopped = giveBack();
      stopped.ifPresent(Engine::close);
    }

    private Optional<Engine> giveBack() {
      synchronized (Registry.this) {
        if (!isOpen) {
          return Optional.empty();
        }
        isOpen = false;
        if (--running.users > 0) {
          return Optional.empty();
        }
        application.engines.remove(running.key);
        forget(application);
        return Optional.of(running.engine);
      }
    }
  }

  private static final class Running {

    private final Object key;
    private final Engine engine;
    private int users;

    private Running(Object key, Engine engine) {
      this.key = key;
      this.engine = engine;
    }
  }

  private static final class Application {

    private final String node = UUID.randomUUID().toString();
    private final ClassLoader classLoader;
    private final Map<Object, Running> engines = new LinkedHashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();

    private Application(ClassLoader classLoader) {
      this.classLoader = classLoader;
    }
  }

  /**
   * The application's engine for this key, started if it does not run, and handed to all who wait.
   *
   * @param start given the name of the node
   * @throws ConfigurationException when it cannot start, or one who waits cannot use it; then it
   *     does not run
   */
  Lease open(ClassLoader classLoader, Object key, Function<String, Engine> start) {
    List<Engine> refused = new ArrayList<>();
    try {
      return open(classLoader, key, start, refused);
    } finally {
      refused.forEach(Engine::close);
    }
  }

  /** What is refused is stopped without the lock, since that may wait for Redis. */
  private synchronized Lease open(
      ClassLoader classLoader, Object key, Function<String, Engine> start, List<Engine> refused) {
    Application application = application(classLoader);
    try {
      Running running = application.engines.get(key);
      if (running == null) {
        running = new Running(key, start.apply(application.node));
        application.engines.put(key, running);
      }
      Lease lease = new Lease(application, running);
      admit(application, lease, refused);
      return lease;
    } finally {
      forget(application);
    }
  }

  /** The engine that this application opened first. */
  synchronized Optional<Lease> first(ClassLoader classLoader) {
    Application application = applications.get(classLoader);
    return application == null
        ? Optional.empty()
        : application.engines.values().stream()
            .findFirst()
            .map(running -> new Lease(application, running));
  }

  /**
   * Joins the engine that this application opened first, now or as soon as there is one.
   *
   * @throws ConfigurationException when there is one that lacks what is needed of it
   */
  synchronized void await(ClassLoader classLoader, Waiting waiting) {
    Optional<Lease> running = first(classLoader);
    if (running.isEmpty()) {
      application(classLoader).waiting.add(waiting);
      return;
    }
    Lease lease = running.get();
    try {
      waiting.check(lease.engine());
    } catch (RuntimeException | Error failed) {
      lease.close(); // stops nothing: its opener uses the engine too
      throw failed;
    }
    waiting.join(lease);
  }

  /** Waits no longer. */
  synchronized void leave(ClassLoader classLoader, Waiting waiting) {
    Application application = application(classLoader);
    application.waiting.remove(waiting);
    forget(application);
  }

  /** All that wait join, or none does: a lease that one of them keeps would keep the engine. */
  private void admit(Application application, Lease opened, List<Engine> refused) {
    try {
      application.waiting.forEach(one -> one.check(opened.engine()));
    } catch (RuntimeException | Error failed) {
      opened.giveBack().ifPresent(refused::add);
      throw failed;
    }
    application.waiting.forEach(one -> one.join(new Lease(application, opened.running)));
    application.waiting.clear();
  }

  private Application application(ClassLoader classLoader) {
    return applications.computeIfAbsent(classLoader, Application::new);
  }

  private void forget(Application application) {
    if (application.engines.isEmpty() && application.waiting.isEmpty()) {
      applications.remove(application.classLoader);
    }
  }
}

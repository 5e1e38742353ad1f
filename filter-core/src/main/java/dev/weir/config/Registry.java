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
 * The running engines of each application, and the number of users of each. The first to open a
 * configuration starts its engine, the last to close it stops it. One lock guards everything.
 * Opening does not wait for Redis, so the lock is never held for long.
 *
 * <p>An application is identified by its class loader, because one copy of the library outside the
 * application may serve several. All engines of an application are one node, even if they use
 * several Redis servers. No state of an application is kept after its last engine has stopped.
 */
final class Registry {

  static final Registry GLOBAL = new Registry();

  private final Map<ClassLoader, Application> applications = new HashMap<>();

  /** The use of a running engine. It is closed once. */
  final class Registration implements AutoCloseable {

    private final Application application;
    private final Running running;
    private boolean isOpen = true;

    private Registration(Application application, Running running) {
      this.application = application;
      this.running = running;
      running.users++;
    }

    WeirRuntime runtime() {
      return running.runtime;
    }

    @Override
    public void close() {
      refund().ifPresent(WeirRuntime::close);
    }

    private Optional<WeirRuntime> refund() {
      synchronized (Registry.this) {
        if (!isOpen) {
          return Optional.empty();
        }
        isOpen = false;
        if (--running.users > 0) {
          return Optional.empty();
        }
        application.runtimes.values().remove(running);
        forgetUnused();
        return Optional.of(running.runtime);
      }
    }
  }

  private static final class Running {

    private final WeirRuntime runtime;
    private int users;

    private Running(WeirRuntime runtime) {
      this.runtime = runtime;
    }
  }

  private static final class Application {

    private final String node = UUID.randomUUID().toString();
    private final Map<Object, Running> runtimes = new LinkedHashMap<>();
    private final List<Weir> waiting = new ArrayList<>();
  }

  /**
   * Returns the application's engine for this key. It is started if it does not run, and all
   * waiting users join it.
   *
   * @param start receives the name of the node
   * @throws ConfigurationException when it cannot start, or a waiting user cannot use it. It does
   *     not run then
   */
  Registration open(ClassLoader classLoader, Object key, Function<String, WeirRuntime> start) {
    List<WeirRuntime> refused = new ArrayList<>();
    try {
      return open(classLoader, key, start, refused);
    } finally {
      refused.forEach(WeirRuntime::close);
    }
  }

  /**
   * Opens the engine under the lock. A refused engine is stopped later without the lock, since that
   * may wait for Redis.
   */
  private synchronized Registration open(
      ClassLoader classLoader,
      Object key,
      Function<String, WeirRuntime> start,
      List<WeirRuntime> refused) {
    Application application = application(classLoader);
    try {
      Running running = application.runtimes.get(key);
      if (running == null) {
        running = new Running(start.apply(application.node));
        application.runtimes.put(key, running);
      }
      Registration registration = new Registration(application, running);
      admit(application, registration, refused);
      return registration;
    } finally {
      forgetUnused();
    }
  }

  /** Returns the engine that this application opened first. */
  synchronized Optional<Registration> first(ClassLoader classLoader) {
    Application application = applications.get(classLoader);
    return application == null
        ? Optional.empty()
        : application.runtimes.values().stream()
            .findFirst()
            .map(running -> new Registration(application, running));
  }

  /**
   * Joins the engine that this application opened first, now or as soon as there is one.
   *
   * @throws ConfigurationException when there is one that lacks what this requires
   */
  synchronized void await(ClassLoader classLoader, Weir waiting) {
    Optional<Registration> running = first(classLoader);
    if (running.isEmpty()) {
      application(classLoader).waiting.add(waiting);
      return;
    }
    Registration registration = running.get();
    try {
      waiting.check(registration.runtime());
    } catch (RuntimeException | Error failed) {
      registration.close(); // stops nothing: its opener uses the engine too
      throw failed;
    }
    waiting.with(registration);
  }

  /** Stops waiting. */
  synchronized void leave(ClassLoader classLoader, Weir waiting) {
    application(classLoader).waiting.remove(waiting);
    forgetUnused();
  }

  /**
   * Lets all waiting users join, or none. One user that has joined would keep the engine running.
   */
  private void admit(Application application, Registration opened, List<WeirRuntime> refused) {
    try {
      application.waiting.forEach(one -> one.check(opened.runtime()));
    } catch (RuntimeException | Error failed) {
      opened.refund().ifPresent(refused::add);
      throw failed;
    }
    application.waiting.forEach(one -> one.with(new Registration(application, opened.running)));
    application.waiting.clear();
  }

  private Application application(ClassLoader classLoader) {
    return applications.computeIfAbsent(classLoader, it -> new Application());
  }

  private void forgetUnused() {
    applications.values().removeIf(it -> it.runtimes.isEmpty() && it.waiting.isEmpty());
  }
}

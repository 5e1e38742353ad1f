package dev.weir.config;

import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.KeyFileReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.internal.Redaction;
import dev.weir.internal.store.DaemonThreads;
import dev.weir.internal.store.Scheduler;
import dev.weir.redis.RedisOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

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

  static final Registry GLOBAL = new Registry(Variables.SYSTEM);

  /** The name of a configuration that is in no file. */
  static final String IN_CODE = "weir";

  private static final Logger LOG = System.getLogger("dev.weir.config");

  private final Variables variables;
  private final Supplier<Scheduler> pollers;
  private final Map<ClassLoader, Application> applications = new HashMap<>();

  /** A running engine and the number of its users. It refers to no user and to no other engine. */
  record Running(WeirRuntime runtime, AtomicInteger users) {}

  private static final class Application {

    private final String node = UUID.randomUUID().toString();
    private final Map<Object, Running> runtimes = new LinkedHashMap<>();
    private final List<Weir> waiting = new ArrayList<>();

    /** Returns the engines of what adapters find. Those of code are several on purpose. */
    private List<WeirRuntime> ofDocuments() {
      return runtimes.entrySet().stream()
          .filter(entry -> entry.getKey() instanceof ConfigDocument)
          .map(entry -> entry.getValue().runtime())
          .toList();
    }
  }

  Registry(Variables variables) {
    this(variables, () -> new Scheduler.OneThread("weir-config"));
  }

  /**
   * @param pollers makes what checks the files of one engine again and again
   */
  Registry(Variables variables, Supplier<Scheduler> pollers) {
    this.variables = variables;
    this.pollers = pollers;
  }

  Weir open(WeirSource source) {
    return reported(source, () -> opened(source, new ConfigSearch(source, variables).require()));
  }

  /**
   * Opens a file by its absolute path, since messages then tell where a relative one was sought.
   */
  Weir open(Path path) {
    WeirSource source = WeirSource.of(IN_CODE);
    return reported(source, () -> opened(source, file(path)));
  }

  private static ConfigDocument.File file(Path path) {
    Path file = path.toAbsolutePath().normalize();
    return new ConfigDocument.File(file.toString(), Optional.of(file), "").again();
  }

  /** Opens what is found, or waits for the first engine of the application. */
  Weir join(WeirSource source) {
    return reported(
        source,
        () -> {
          Optional<ConfigDocument> found = new ConfigSearch(source, variables).find();
          return found.isPresent() ? opened(source, found.get()) : joined(source);
        });
  }

  /** Joins the application's first engine, now or as soon as there is one. Opens nothing. */
  Weir joinFirst(WeirSource source) {
    return reported(source, () -> joined(source));
  }

  private Weir joined(WeirSource source) {
    Weir weir = weir(source);
    await(source.classLoader(), weir);
    return weir;
  }

  /** Logs what stops a start: a container logs it apart from everything else, or not at all. */
  static <T> T reported(WeirSource source, Supplier<T> opening) {
    try {
      LinkedLibraries.require();
      return opening.get();
    } catch (ConfigurationException refused) {
      LOG.log(
          Level.ERROR,
          () -> source.title() + " does not start:%n%s".formatted(refused.getMessage()));
      throw refused;
    } catch (RuntimeException | LinkageError failed) {
      LOG.log(Level.ERROR, source.title() + " does not start", failed);
      throw failed;
    }
  }

  Weir of(String yaml) {
    WeirSource source = WeirSource.of(IN_CODE);
    return reported(
        source, () -> own(SettingsReader.read(text(yaml), variables, source.classLoader())));
  }

  private static ConfigDocument text(String yaml) {
    if (yaml.matches("\\S+\\.ya?ml")) {
      throw Reading.refused(
          IN_CODE,
          Node.Place.NONE,
          "",
          Redaction.quoted(yaml),
          "a text in YAML; Weir.open(Path) opens a file");
    }
    return ConfigDocument.File.of(IN_CODE, yaml);
  }

  Configuration read(Path path, ReadOptions options) {
    return Configuration.read(file(path), WeirSource.of(IN_CODE), variables, options);
  }

  Configuration read(WeirSource source, ReadOptions options) {
    ConfigDocument document = new ConfigSearch(source, variables).require();
    return Configuration.read(document, source, variables, options);
  }

  Configuration read(String yaml, ReadOptions options) {
    return Configuration.read(text(yaml), WeirSource.of(IN_CODE), variables, options);
  }

  Weir of(Settings settings) {
    return reported(WeirSource.of(settings.name()), () -> own(settings));
  }

  /** Starts the configuration under a unique key. */
  private Weir own(Settings settings) {
    WeirSource source = WeirSource.of(settings.name());
    return opened(source, new Object(), () -> settings);
  }

  private Weir opened(WeirSource source, ConfigDocument document) {
    return opened(
        source,
        document,
        () ->
            SettingsReader.read(
                document,
                variables,
                source.classLoader(),
                source.resources(),
                new KeyFileReader()));
  }

  private Weir weir(WeirSource source) {
    return new Weir(this, source.classLoader(), new ConfigSearch(source, variables)::missing);
  }

  private WeirRuntime start(String node, WeirSource source, Settings settings, Object key) {
    Optional<ConfigDocument.File> file =
        key instanceof ConfigDocument.File read ? Optional.of(read) : Optional.empty();
    var environment = new WeirRuntime.Environment(node, variables, source, pollers);
    // the names of threads have that of the application, as Tomcat has it, or else as Redis has it
    String application = settings.counting().redis().map(RedisOptions::application).orElse("");
    String owner =
        source
            .contextPath()
            .map(path -> path.isEmpty() ? "ROOT" : path.substring(1).replace('/', '#'))
            .orElse(application);
    return DaemonThreads.ownedBy(owner, () -> WeirRuntime.start(settings, file, environment));
  }

  /**
   * Opens the application's engine for this key. It is started if it does not run, and all waiting
   * users join it.
   *
   * @param key the document, or an object of its own for a configuration that is not shared
   * @param settings are read only if the engine does not run
   * @throws ConfigurationException when it cannot start, or a waiting user cannot use it. It does
   *     not run then
   */
  private Weir opened(WeirSource source, Object key, Supplier<Settings> settings) {
    Weir weir = weir(source);
    Running running;
    WeirRuntime refused = null;
    try {
      synchronized (this) {
        Application application = application(source.classLoader());
        try {
          running = application.runtimes.get(key);
          if (running == null) {
            WeirRuntime started = start(application.node, source, settings.get(), key);
            // all waiting users join, or none: one that has joined would keep the engine running
            refused = started;
            application.waiting.forEach(one -> one.check(started));
            refused = null;
            running = new Running(started, new AtomicInteger());
            for (Weir one : application.waiting) {
              one.join(running);
            }
            application.waiting.clear();
            List<WeirRuntime> others = application.ofDocuments();
            application.runtimes.put(key, running);
            if (key instanceof ConfigDocument) {
              DoubleCharges.warnOfSame(started, others);
            }
          }
          weir.join(running);
        } finally {
          forgetUnused(application);
        }
      }
    } finally {
      if (refused != null) {
        refused.close(); // without the lock, since that may wait for Redis
      }
    }
    running.runtime().awaitRedis(); // without the lock, so that no other thread waits with it
    return weir;
  }

  /** Returns the engine that this application opened first. */
  synchronized Optional<Running> first(ClassLoader classLoader) {
    return Optional.ofNullable(applications.get(classLoader))
        .flatMap(application -> application.runtimes.values().stream().findFirst());
  }

  /** Joins the engine that this application opened first, now or as soon as there is one. */
  synchronized void await(ClassLoader classLoader, Weir waiting) {
    Optional<Running> running = first(classLoader);
    if (running.isEmpty()) {
      application(classLoader).waiting.add(waiting);
      return;
    }
    waiting.check(running.get().runtime());
    waiting.join(running.get());
  }

  /** Ends the use of an engine. The last user stops it, without the lock. */
  void leave(ClassLoader classLoader, Running running) {
    synchronized (this) {
      if (running.users().decrementAndGet() > 0) {
        return;
      }
      Application application = application(classLoader);
      application.runtimes.values().remove(running);
      forgetUnused(application);
    }
    running.runtime().close();
  }

  synchronized void leave(ClassLoader classLoader, Weir waiting) {
    Application application = application(classLoader);
    application.waiting.remove(waiting);
    forgetUnused(application);
  }

  private Application application(ClassLoader classLoader) {
    return applications.computeIfAbsent(classLoader, it -> new Application());
  }

  private void forgetUnused(Application application) {
    if (application.runtimes.isEmpty() && application.waiting.isEmpty()) {
      applications.values().remove(application);
    }
  }
}

package dev.weir.config;

import dev.weir.config.Registry.Registration;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import java.util.Optional;

/** Finds, reads and starts configurations in an environment, which tests can replace. */
record Loader(Registry registry, Variables variables, Poller poller) {

  static final String IN_CODE = "weir";

  Loader(Registry registry, Variables variables) {
    this(registry, variables, Poller.EVERY_SECOND);
  }

  Weir open(WeirSource source) {
    ConfigSearch search = new ConfigSearch(source, variables);
    return opened(search.require(), source, search);
  }

  Weir join(WeirSource source) {
    ConfigSearch search = new ConfigSearch(source, variables);
    return search
        .find()
        .map(document -> opened(document, source, search))
        .orElseGet(() -> new Weir(registry, source.classLoader(), search::missing).awaiting());
  }

  Weir of(String yaml) {
    ClassLoader classLoader = WeirSource.applicationClassLoader();
    ConfigDocument document = ConfigDocument.File.of(IN_CODE, yaml);
    return own(SettingsReader.read(document, variables, classLoader));
  }

  /** Starts the configuration under a unique key. */
  Weir own(Settings settings) {
    ClassLoader classLoader = WeirSource.applicationClassLoader();
    Registration registration =
        registry.open(
            classLoader,
            new Object(),
            node -> WeirRuntime.start(node, settings, Optional.empty(), environment(classLoader)));
    ConfigSearch search = new ConfigSearch(WeirSource.of(settings.name()), variables);
    return started(registration, new Weir(registry, classLoader, search::missing));
  }

  private Weir opened(ConfigDocument document, WeirSource source, ConfigSearch search) {
    ClassLoader classLoader = source.classLoader();
    Registration registration =
        registry.open(classLoader, document, node -> start(node, document, classLoader));
    return started(registration, new Weir(registry, classLoader, search::missing));
  }

  /**
   * Waits for Redis after the registry's lock is released, so that no other thread waits with it.
   */
  private static Weir started(Registration registration, Weir weir) {
    registration.runtime().awaitRedis();
    return weir.with(registration);
  }

  private WeirRuntime start(String node, ConfigDocument document, ClassLoader classLoader) {
    Settings settings = SettingsReader.read(document, variables, classLoader);
    Optional<ConfigDocument.File> file =
        document instanceof ConfigDocument.File of ? Optional.of(of) : Optional.empty();
    return WeirRuntime.start(node, settings, file, environment(classLoader));
  }

  private WeirRuntime.Environment environment(ClassLoader classLoader) {
    return new WeirRuntime.Environment(variables, classLoader, poller);
  }
}

package dev.weir.config;

import dev.weir.config.Registry.Lease;
import java.util.Optional;

/** Finds, reads and starts configurations in their surroundings, which tests choose. */
record Opening(Registry registry, Environment environment, Pulse pulse) {

  static final String IN_CODE = "weir";

  Opening(Registry registry, Environment environment) {
    this(registry, environment, Pulse.EVERY_SECOND);
  }

  Weir open(WeirSource source) {
    ConfigSearch search = new ConfigSearch(source, environment);
    return opened(search.require(), source, search);
  }

  Weir join(WeirSource source) {
    ConfigSearch search = new ConfigSearch(source, environment);
    return search
        .find()
        .map(document -> opened(document, source, search))
        .orElseGet(() -> new Weir(registry, source.classLoader(), search::missing).awaiting());
  }

  Weir of(String yaml) {
    ClassLoader classLoader = WeirSource.applicationClassLoader();
    ConfigDocument document = ConfigDocument.File.of(IN_CODE, yaml);
    return own(SettingsReader.read(document, environment, classLoader));
  }

  /** Under a key that nobody else has. */
  Weir own(Settings settings) {
    ClassLoader classLoader = WeirSource.applicationClassLoader();
    Lease lease =
        registry.open(
            classLoader,
            new Object(),
            node -> Engine.start(node, settings, Optional.empty(), surroundings(classLoader)));
    ConfigSearch search = new ConfigSearch(WeirSource.of(settings.name()), environment);
    return started(lease, new Weir(registry, classLoader, search::missing));
  }

  private Weir opened(ConfigDocument document, WeirSource source, ConfigSearch search) {
    ClassLoader classLoader = source.classLoader();
    Lease lease = registry.open(classLoader, document, node -> start(node, document, classLoader));
    return started(lease, new Weir(registry, classLoader, search::missing));
  }

  /** Here nobody waits for what waits for Redis: the registry's lock is given back. */
  private static Weir started(Lease lease, Weir weir) {
    lease.engine().awaitRedis();
    return weir.with(lease);
  }

  private Engine start(String node, ConfigDocument document, ClassLoader classLoader) {
    Settings settings = SettingsReader.read(document, environment, classLoader);
    Optional<ConfigDocument.File> file =
        document instanceof ConfigDocument.File of ? Optional.of(of) : Optional.empty();
    return Engine.start(node, settings, file, surroundings(classLoader));
  }

  private Surroundings surroundings(ClassLoader classLoader) {
    return new Surroundings(environment, classLoader, pulse);
  }
}

package dev.weir.config;

import dev.weir.config.Registry.Registration;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.internal.Scheduler;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Finds, reads and starts configurations in an environment, which tests can replace. */
record Loader(Registry registry, Variables variables, Supplier<Scheduler> pollers) {

  static final String IN_CODE = "weir";

  Loader(Registry registry, Variables variables) {
    this(registry, variables, () -> new Scheduler.OneThread("weir-config"));
  }

  Weir open(WeirSource source) {
    return opened(source, new ConfigSearch(source, variables).require());
  }

  Weir join(WeirSource source) {
    return new ConfigSearch(source, variables)
        .find()
        .map(document -> opened(source, document))
        .orElseGet(() -> weir(source).awaiting());
  }

  Weir of(String yaml) {
    ConfigDocument document = ConfigDocument.File.of(IN_CODE, yaml);
    return own(
        SettingsReader.read(document, variables, WeirSource.applicationClassLoader()));
  }

  /** Starts the configuration under a unique key. */
  Weir own(Settings settings) {
    WeirSource source = WeirSource.of(settings.name());
    return opened(source, new Object(), node -> start(node, source, settings, Optional.empty()));
  }

  private Weir opened(WeirSource source, ConfigDocument document) {
    Optional<ConfigDocument.File> file =
        document instanceof ConfigDocument.File of ? Optional.of(of) : Optional.empty();
    return opened(
        source,
        document,
        node ->
            start(
                node,
                source,
                SettingsReader.read(document, variables, source.classLoader()),
                file));
  }

  /**
   * Waits for Redis after the registry's lock is released, so that no other thread waits with it.
   */
  private Weir opened(WeirSource source, Object key, Function<String, WeirRuntime> start) {
    Registration registration = registry.open(source.classLoader(), key, start);
    registration.runtime().awaitRedis();
    return weir(source).with(registration);
  }

  private Weir weir(WeirSource source) {
    return new Weir(registry, source.classLoader(), new ConfigSearch(source, variables)::missing);
  }

  private WeirRuntime start(
      String node, WeirSource source, Settings settings, Optional<ConfigDocument.File> file) {
    WeirRuntime.Environment environment =
        new WeirRuntime.Environment(variables, source.classLoader(), pollers);
    return WeirRuntime.start(node, settings, file, environment);
  }
}

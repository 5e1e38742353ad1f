package dev.weir.config;

import dev.weir.config.FileWatch.Content;
import dev.weir.config.WeirStatus.Loaded;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.read.KeyFileReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.internal.store.Failures;
import dev.weir.internal.store.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reloads an engine's file: automatically while it is watched, and on request. An invalid file
 * changes nothing. Thread-safe.
 */
final class Reloads implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.weir.config");
  private static final String NOT_A_FILE = "a configuration in code or inside the application";

  private final WeirRuntime runtime;
  private final Optional<ConfigDocument.File> file;
  private final WeirRuntime.Environment environment;
  private volatile Loaded loaded = Loaded.first("");
  private Content known = new Content("", List.of(), Map.of());

  /** The content that is in use. {@link #known} may have been refused. */
  private Content used = known;

  private final boolean isPacked;

  /** The files that the configuration names, whether it is in use or refused. */
  private volatile Map<Path, Optional<String>> keyFiles = Map.of();

  /** Whether {@link #known} was refused for a file of Redis, which may be about to be replaced. */
  private boolean awaitsRedisFile;

  private @Nullable Scheduler watch;
  private boolean isClosed;

  /**
   * @param document the file that the configuration was read from, if it was one. It is read again
   *     only if it is in the file system
   */
  Reloads(
      WeirRuntime runtime,
      Optional<ConfigDocument.File> document,
      WeirRuntime.Environment environment) {
    this.runtime = runtime;
    this.file = document.filter(it -> it.disk().isPresent());
    this.isPacked = document.isPresent() && file.isEmpty();
    this.environment = environment;
  }

  synchronized void begin(Settings settings) {
    keyFiles = settings.origin().keyFiles();
    known = new Content(file.map(ConfigDocument.File::text).orElse(""), List.of(), keyFiles);
    used = known;
    loaded = Loaded.first(settings.name());
    watchIf(settings.origin().reload());
    if (isPacked && settings.origin().reload()) {
      LOG.log(
          Level.INFO,
          () ->
              environment.source().titled(settings.name())
                  + ": never reloaded, since it is part of the application. To change it without a"
                  + " restart, keep it outside and name its place: in init-param 'config', in the"
                  + " system property weir.config or in WEIR_CONFIG of the environment");
    }
  }

  Loaded loaded() {
    return loaded;
  }

  /**
   * Reads the file now and reloads it, whether or not it has changed.
   *
   * @throws ConfigurationException with every problem; nothing has changed then
   */
  synchronized void byHand() {
    ConfigDocument.File again =
        file.orElseThrow(
            () ->
                refused(
                    NOT_A_FILE,
                    "a file outside, which can be read again: name its place in init-param"
                        + " 'config', in the system property weir.config or in WEIR_CONFIG"));
    try {
      reload(FileWatch.content(again, Map.of()));
    } catch (ConfigurationException refused) {
      loaded = loaded.withFailure();
      throw refused;
    }
  }

  /**
   * Reloads what the watch found. Content that was already reloaded or refused is ignored, unless a
   * file of Redis was the reason: such files are not watched, and rotate.
   */
  private synchronized void reloadIfChanged(Content content) {
    boolean isKnown = content.equals(known);
    if (isClosed || (isKnown && !awaitsRedisFile)) {
      return;
    }
    Optional<String> before = loaded.problem();
    try {
      reload(content);
    } catch (ConfigurationException refused) {
      if (isKnown && loaded.problem().equals(before)) {
        return;
      }
      loaded = loaded.withFailure();
      LOG.log(
          Level.WARNING,
          () ->
              "%s: not reloaded: the previous configuration stays active%n%s"
                  .formatted(environment.source().titled(loaded.source()), refused.getMessage()));
    }
  }

  private void reload(Content content) {
    known = content;
    awaitsRedisFile = false;
    try {
      Settings settings = settings(content);
      runtime.replace(settings);
      loaded = loaded.reloaded(settings.name());
      watchIf(settings.origin().reload());
    } catch (ConfigurationException refused) {
      throw noted(refused);
    } catch (RuntimeException ours) {
      throw noted(
          refused("an unexpected error, " + Failures.brief(ours), "none: please report it"));
    }
    String changes = Changes.between(used, known);
    used = known;
    LOG.log(Level.INFO, () -> runtime.description() + ". Reloaded, changed: " + changes);
  }

  private Settings settings(Content content) {
    if (!content.problems().isEmpty()) {
      throw new ConfigurationException(content.problems());
    }
    ConfigDocument.File document = file.orElseThrow().withText(content.text());
    KeyFileReader files = new KeyFileReader();
    try {
      return SettingsReader.read(
          document,
          environment.variables(),
          environment.source().classLoader(),
          environment.source().resources(),
          files);
    } finally {
      keyFiles = files.files();
      known = new Content(content.text(), List.of(), keyFiles);
    }
  }

  private ConfigurationException noted(ConfigurationException refused) {
    loaded = loaded.refused(String.valueOf(refused.getMessage()));
    awaitsRedisFile =
        refused.problems().stream()
            .map(ConfigurationException.Problem::field)
            .anyMatch(field -> field.startsWith("redis.") && field.endsWith("-file"));
    return refused;
  }

  private ConfigurationException refused(String found, String expected) {
    return Reading.refused(loaded.source(), Node.Place.NONE, "", found, expected);
  }

  private void watchIf(boolean isRequired) {
    if (file.isEmpty() || isClosed || isRequired == (watch != null)) {
      return;
    }
    if (watch == null) {
      Scheduler poller = environment.pollers().get();
      schedule(poller, new FileWatch(file.get()));
      watch = poller;
    } else {
      watch.close();
      watch = null;
    }
  }

  /** Checks every second, until the poller is closed. */
  private void schedule(Scheduler poller, FileWatch files) {
    Scheduler.Pending unused = poller.in(Duration.ofSeconds(1), () -> check(poller, files));
  }

  private void check(Scheduler poller, FileWatch files) {
    try {
      files.check(keyFiles.keySet()).ifPresent(this::reloadIfChanged);
    } catch (RuntimeException | Error failed) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s cannot be watched: %s"
                  .formatted(environment.source().titled(loaded.source()), Failures.brief(failed)));
    }
    schedule(poller, files);
  }

  /** Ends the watch without holding the lock, since the watch may be waiting for it. */
  @Override
  public void close() {
    Scheduler ending;
    synchronized (this) {
      isClosed = true;
      ending = watch;
      watch = null;
    }
    if (ending != null) {
      ending.close();
    }
  }
}

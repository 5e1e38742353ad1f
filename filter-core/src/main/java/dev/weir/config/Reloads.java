package dev.weir.config;

import dev.weir.Failures;
import dev.weir.config.FileWatch.Sight;
import dev.weir.config.WeirStatus.Loaded;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.ConfigFile;
import dev.weir.config.internal.document.FileStamp;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Problems;
import dev.weir.config.internal.read.KeyFileReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reloads an engine's file: automatically while it is watched, and on request. An invalid file
 * changes nothing. Thread-safe.
 */
final class Reloads implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.weir.config");
  private static final String NOT_A_FILE = "a configuration that is no file of the file system";

  private final WeirRuntime runtime;
  private final Optional<ConfigFile> file;
  private final WeirRuntime.Environment environment;
  private volatile Loaded loaded = Loaded.now("");
  private Sight known = new Sight.Text("", Map.of());

  /** The files that the configuration names, whether it is in use or refused. */
  private volatile Map<Path, Optional<FileStamp>> keyFiles = Map.of();

  private @Nullable Runnable watch;
  private boolean isClosed;

  Reloads(WeirRuntime runtime, Optional<ConfigFile> file, WeirRuntime.Environment environment) {
    this.runtime = runtime;
    this.file = file;
    this.environment = environment;
  }

  /** Begins with the configuration that was read first. */
  synchronized void begin(Settings settings, String text) {
    keyFiles = settings.keyFiles();
    known = new Sight.Text(text, keyFiles);
    loaded = Loaded.now(settings.name());
    watchIf(settings.reload());
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
    ConfigFile again =
        file.orElseThrow(() -> refused(NOT_A_FILE, "a file, which can be read again"));
    takeUp(Sight.of(again, Map.of()));
  }

  /** Reloads what the watch found. Content that was already reloaded or refused is ignored. */
  private synchronized void seen(Sight sight) {
    if (isClosed || sight.equals(known)) {
      return;
    }
    try {
      takeUp(sight);
    } catch (ConfigurationException refused) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s: not taken up, what was read before still holds%n%s"
                  .formatted(loaded.source(), refused.getMessage()));
    }
  }

  private void takeUp(Sight sight) {
    known = sight;
    try {
      Settings settings = settings(sight);
      runtime.replace(settings);
      loaded = Loaded.now(settings.name());
      watchIf(settings.reload());
    } catch (ConfigurationException refused) {
      throw noted(refused);
    } catch (RuntimeException ours) {
      throw noted(refused("what fails us: " + Failures.brief(ours), "nothing of the kind"));
    }
    LOG.log(Level.INFO, () -> "taken up anew: " + runtime.description());
  }

  private Settings settings(Sight sight) {
    if (sight instanceof Sight.Unreadable unreadable) {
      throw new ConfigurationException(unreadable.problems());
    }
    return settings(((Sight.Text) sight).text());
  }

  private Settings settings(String text) {
    ConfigDocument.File document = ConfigDocument.File.of(file.orElseThrow(), text);
    KeyFileReader files = new KeyFileReader(environment.classLoader());
    try {
      return SettingsReader.read(
          document, environment.variables(), environment.classLoader(), files);
    } finally {
      keyFiles = files.stamps();
      known = new Sight.Text(text, keyFiles);
    }
  }

  private ConfigurationException noted(ConfigurationException refused) {
    loaded = loaded.withProblem(String.valueOf(refused.getMessage()));
    return refused;
  }

  private ConfigurationException refused(String found, String expected) {
    return Problems.only(loaded.source(), Node.Place.NONE, "", found, expected);
  }

  private void watchIf(boolean isWanted) {
    if (file.isEmpty() || isClosed || isWanted == (watch != null)) {
      return;
    }
    if (watch == null) {
      watch =
          environment
              .poller()
              .start(new FileWatch(file.get(), () -> keyFiles.keySet(), this::seen));
    } else {
      watch.run();
      watch = null;
    }
  }

  /** Ends the watch without holding the lock, since the watch may be waiting for it. */
  @Override
  public void close() {
    Runnable ending;
    synchronized (this) {
      isClosed = true;
      ending = watch;
      watch = null;
    }
    if (ending != null) {
      ending.run();
    }
  }
}

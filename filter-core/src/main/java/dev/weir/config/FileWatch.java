package dev.weir.config;

import dev.weir.config.internal.document.ConfigFile;
import dev.weir.config.internal.document.FileStamp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks a file and the key files that it names at each run. It reports their content once that is
 * stable.
 *
 * <p>Two checks in a row must find the same. This ignores a file that is half-written, and one that
 * is missing for a moment while it is replaced. Only content is compared. It does not matter
 * whether a file was written, renamed or linked, or how precise file system time is. Key files may
 * be long, so they are read only if they may have changed.
 *
 * <p>Run by one thread at a time.
 */
final class FileWatch implements Runnable {

  private final ConfigFile file;
  private final Supplier<Set<Path>> keyFiles;
  private final Consumer<Sight> settled;
  private final FileLooks looks = new FileLooks();
  private @Nullable Sight last;

  /** The result of one check. */
  sealed interface Sight {

    static Sight of(ConfigFile file, Map<Path, Optional<FileStamp>> keyFiles) {
      try {
        return new Text(file.text(), keyFiles);
      } catch (ConfigurationException unreadable) {
        return new Unreadable(unreadable.problems());
      }
    }

    /** A text, valid or not, and the content of the files that it names. */
    record Text(String text, Map<Path, Optional<FileStamp>> keyFiles) implements Sight {}

    /** A file that could not be read. */
    record Unreadable(List<Problem> problems) implements Sight {}
  }

  /**
   * @param keyFiles the files that the configuration names, as far as known
   * @param settled receives the result of each check that equals the one before
   */
  FileWatch(ConfigFile file, Supplier<Set<Path>> keyFiles, Consumer<Sight> settled) {
    this.file = file;
    this.keyFiles = keyFiles;
    this.settled = settled;
  }

  @Override
  public void run() {
    Sight now = Sight.of(file, looks.at(keyFiles.get()));
    boolean hasSettled = now.equals(last);
    last = now;
    if (hasSettled) {
      settled.accept(now);
    }
  }
}

package dev.weir.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a file, and at those that it names, each time it runs, and tells what is there once that
 * has settled.
 *
 * <p>Two looks in a row must find the same: a file that is being written, or is gone for the moment
 * in which another takes its place, is none that somebody meant. What the file holds is compared,
 * and nothing else, so that it does not matter whether it was written, renamed or linked to, nor
 * how exactly the file system tells time. Files of keys may be long: those are read only where they
 * may have changed.
 *
 * <p>Run by one thread at a time.
 */
final class FileWatch implements Runnable {

  private final ConfigFile file;
  private final Supplier<Set<Path>> keyFiles;
  private final Consumer<Sight> settled;
  private final FileLooks looks = new FileLooks();
  private @Nullable Sight last;

  /** What a look finds. */
  sealed interface Sight {

    static Sight of(ConfigFile file, Map<Path, Optional<FileStamp>> keyFiles) {
      try {
        return new Text(file.text(), keyFiles);
      } catch (ConfigurationException unreadable) {
        return new Unreadable(unreadable.problems());
      }
    }

    /** A text, right or wrong, and what the files hold that it names. */
    record Text(String text, Map<Path, Optional<FileStamp>> keyFiles) implements Sight {}

    /** Nothing that could be read. */
    record Unreadable(List<Problem> problems) implements Sight {}
  }

  /**
   * @param keyFiles which files it names, as far as is known by now
   * @param settled told what is there at each look that finds the same as the one before
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

package dev.weir.config;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a file each time it runs, and tells what is there once that has settled.
 *
 * <p>Two looks in a row must find the same: a file that is being written, or is gone for the moment
 * in which another takes its place, is none that somebody meant. What the file holds is compared,
 * and nothing else, so that it does not matter whether it was written, renamed or linked to, nor
 * how exactly the file system tells time.
 *
 * <p>Run by one thread at a time.
 */
final class FileWatch implements Runnable {

  private final ConfigFile file;
  private final Consumer<Sight> settled;
  private @Nullable Sight last;

  /** What a look finds. */
  sealed interface Sight {

    static Sight of(ConfigFile file) {
      try {
        return new Text(file.text());
      } catch (ConfigurationException unreadable) {
        return new Unreadable(unreadable.problems());
      }
    }

    /** A text, right or wrong. */
    record Text(String text) implements Sight {}

    /** Nothing that could be read. */
    record Unreadable(List<Problem> problems) implements Sight {}
  }

  /**
   * @param settled told what is there at each look that finds the same as the one before
   */
  FileWatch(ConfigFile file, Consumer<Sight> settled) {
    this.file = file;
    this.settled = settled;
  }

  @Override
  public void run() {
    Sight now = Sight.of(file);
    boolean hasSettled = now.equals(last);
    last = now;
    if (hasSettled) {
      settled.accept(now);
    }
  }
}

package dev.weir.config;

import dev.weir.config.internal.document.FileStamp;
import dev.weir.config.internal.read.KeyFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks files repeatedly, and reads only those that may have changed, since they may be long. A
 * file with the same time, size and identity is unchanged, unless it had just been written when it
 * was read. File system time advances in steps, so two writes within one step have the same time.
 * Such a file is read at each check until it is older than one step.
 *
 * <p>Used by one thread at a time.
 */
final class FileLooks {

  /** The coarsest time step of a file system: that of FAT. */
  private static final Duration COARSEST_STEP = Duration.ofSeconds(2);

  private Map<Path, Look> last = Map.of();

  /** The attributes that identify a version of a file without reading it. */
  private record Outside(FileTime modified, long size, String key) {

    static Outside of(Path path) throws IOException {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!found.isRegularFile()) {
        throw new IOException("not a file");
      }
      return new Outside(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
    }

    boolean isAtRest(Instant now) {
      return !modified.toInstant().plus(COARSEST_STEP).isAfter(now);
    }
  }

  /** One reading, with the attributes of the file just before it. */
  private record Look(Outside outside, boolean wasAtRest, FileStamp stamp) {

    static Look at(Path path, Outside outside) throws IOException {
      boolean isAtRest = outside.isAtRest(Instant.now());
      return new Look(outside, isAtRest, FileStamp.of(KeyFileReader.bytes(path)));
    }

    boolean stillHolds(Outside now) {
      return wasAtRest && outside.equals(now);
    }
  }

  /**
   * Returns the current content of the files. It is empty for a file that is missing or unreadable.
   */
  Map<Path, Optional<FileStamp>> at(Set<Path> files) {
    Map<Path, Look> looks = new HashMap<>();
    Map<Path, Optional<FileStamp>> stamps = new HashMap<>();
    for (Path file : files) {
      Optional<Look> look = look(file);
      look.ifPresent(it -> looks.put(file, it));
      stamps.put(file, look.map(Look::stamp));
    }
    last = looks;
    return Map.copyOf(stamps);
  }

  private Optional<Look> look(Path file) {
    try {
      Outside now = Outside.of(file);
      Look before = last.get(file);
      return Optional.of(before != null && before.stillHolds(now) ? before : Look.at(file, now));
    } catch (IOException | SecurityException unknown) {
      return Optional.empty();
    }
  }
}

package dev.weir.config;

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
 * Looks at files again and again, and reads those that may have changed; they may be long. One
 * whose time, size and identity are the same holds the same, unless it had just been written when
 * it was read: a file system tells time in steps, and what is written twice in one step looks the
 * same. Such a file is read at each look, until one finds it at rest.
 *
 * <p>Used by one thread at a time.
 */
final class FileLooks {

  /** The coarsest step of a file system's time: of FAT. */
  private static final Duration COARSEST_STEP = Duration.ofSeconds(2);

  private Map<Path, Look> last = Map.of();

  /** What a file is known by without being read. */
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

  /** One reading, and how the file looked just before. */
  private record Look(Outside outside, boolean wasAtRest, FileStamp stamp) {

    static Look at(Path path, Outside outside) throws IOException {
      boolean isAtRest = outside.isAtRest(Instant.now());
      return new Look(outside, isAtRest, FileStamp.of(KeyFileReader.bytes(path)));
    }

    boolean stillHolds(Outside now) {
      return wasAtRest && outside.equals(now);
    }
  }

  /** What the files hold now; nothing where there is none, or it cannot be read. */
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

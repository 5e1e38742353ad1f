package dev.weir.config;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.read.KeyFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks a file and the key files that it names, again and again. It returns their content once
 * that is stable.
 *
 * <p>Two checks in a row must find the same. This ignores a file that is half-written, and one that
 * is missing for a moment while it is replaced. Only content is compared. It does not matter
 * whether a file was written, renamed or linked, or how precise file system time is.
 *
 * <p>Key files may be long, so they are read only if they may have changed. A key file with the
 * same time, size and identity is unchanged, unless it had just been written when it was read. File
 * system time advances in steps, so two writes within one step have the same time. Such a file is
 * read at each check until it is older than one step.
 *
 * <p>Used by one thread at a time.
 */
final class FileWatch {

  /** The coarsest time step of a file system: that of FAT. */
  private static final Duration COARSEST_STEP = Duration.ofSeconds(2);

  private final ConfigDocument.File file;
  private Map<Path, KeyFile> lastKeyFiles = Map.of();
  private @Nullable Content last;

  /**
   * What one check found.
   *
   * @param text valid or not, and empty if the file could not be read
   * @param problems why it could not be read
   * @param digests of the key files that it names; empty for a missing one
   */
  record Content(String text, List<Problem> problems, Map<Path, Optional<String>> digests) {}

  /** A key file as it was last read. Its version changes with its content, if it was at rest. */
  private record KeyFile(Object version, boolean wasAtRest, String digest) {}

  FileWatch(ConfigDocument.File file) {
    this.file = file;
  }

  /**
   * Checks the files. Returns what it found if the previous check found the same, else empty.
   *
   * @param keyFiles the files that the configuration names, as far as known
   */
  Optional<Content> check(Set<Path> keyFiles) {
    Content now = content(file, digests(keyFiles));
    boolean isStable = now.equals(last);
    last = now;
    return isStable ? Optional.of(now) : Optional.empty();
  }

  /** Reads the file. The digests are those of its key files. */
  static Content content(ConfigDocument.File file, Map<Path, Optional<String>> digests) {
    try {
      return new Content(file.again().text(), List.of(), digests);
    } catch (ConfigurationException unreadable) {
      return new Content("", unreadable.problems(), Map.of());
    }
  }

  /** Returns the digests of these files. It is empty for a file that is missing or unreadable. */
  private Map<Path, Optional<String>> digests(Set<Path> files) {
    Map<Path, KeyFile> read = new HashMap<>();
    Map<Path, Optional<String>> digests = new HashMap<>();
    for (Path path : files) {
      Optional<KeyFile> found = keyFile(path);
      found.ifPresent(it -> read.put(path, it));
      digests.put(path, found.map(KeyFile::digest));
    }
    lastKeyFiles = read;
    return Map.copyOf(digests);
  }

  private Optional<KeyFile> keyFile(Path path) {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      if (!now.isRegularFile()) {
        return Optional.empty();
      }
      Object version = List.of(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey()));
      KeyFile before = lastKeyFiles.get(path);
      if (before != null && before.wasAtRest() && before.version().equals(version)) {
        return Optional.of(before);
      }
      Instant atRest = now.lastModifiedTime().toInstant().plus(COARSEST_STEP);
      boolean isAtRest = !atRest.isAfter(Instant.now());
      return Optional.of(new KeyFile(version, isAtRest, KeyFileReader.sha256(path)));
    } catch (IOException | SecurityException unknown) {
      return Optional.empty();
    }
  }
}

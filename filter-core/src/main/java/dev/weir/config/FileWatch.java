package dev.weir.config;

import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.read.KeyFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
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

  /** What one check found. */
  sealed interface Content {

    /** Reads the file. The digests are those of the key files. */
    static Content of(ConfigDocument.File file, Map<Path, Optional<String>> digests) {
      try {
        return new Text(file.again().text(), digests);
      } catch (ConfigurationException unreadable) {
        return new Unreadable(unreadable.problems());
      }
    }

    /**
     * A text, valid or not, and the digests of the files that it names; empty for a missing one.
     */
    record Text(String text, Map<Path, Optional<String>> digests) implements Content {}

    /** A file that could not be read. */
    record Unreadable(List<Problem> problems) implements Content {}
  }

  /** A key file as it was last read. */
  private record KeyFile(Attributes attributes, boolean wasAtRest, String digest) {

    boolean isUnchanged(Attributes now) {
      return wasAtRest && attributes.equals(now);
    }
  }

  /** The attributes that identify a version of a file without reading it. */
  private record Attributes(FileTime modified, long size, String key) {

    static Attributes of(Path path) throws IOException {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!found.isRegularFile()) {
        throw new IOException("not a file");
      }
      return new Attributes(
          found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
    }

    boolean areAtRest(Instant now) {
      return !modified.toInstant().plus(COARSEST_STEP).isAfter(now);
    }
  }

  FileWatch(ConfigDocument.File file) {
    this.file = file;
  }

  /**
   * Checks the files. Returns what it found if the previous check found the same, else empty.
   *
   * @param keyFiles the files that the configuration names, as far as known
   */
  Optional<Content> check(Set<Path> keyFiles) {
    Content now = Content.of(file, digests(keyFiles));
    boolean isStable = now.equals(last);
    last = now;
    return isStable ? Optional.of(now) : Optional.empty();
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
      Attributes now = Attributes.of(path);
      KeyFile before = lastKeyFiles.get(path);
      if (before != null && before.isUnchanged(now)) {
        return Optional.of(before);
      }
      boolean isAtRest = now.areAtRest(Instant.now());
      return Optional.of(new KeyFile(now, isAtRest, KeyFileReader.sha256(path)));
    } catch (IOException | SecurityException unknown) {
      return Optional.empty();
    }
  }
}

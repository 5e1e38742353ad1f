package dev.weir.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * Tells one state of a file from another without reading it, which may be long: its time, its size,
 * and which file it is where links and renames change that.
 */
record FileStamp(FileTime modified, long size, String key) {

  /** Empty when there is none, or nothing is known of it. */
  static Optional<FileStamp> of(Path path) {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      return Optional.of(
          new FileStamp(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey())));
    } catch (IOException | SecurityException unknown) {
      return Optional.empty();
    }
  }
}

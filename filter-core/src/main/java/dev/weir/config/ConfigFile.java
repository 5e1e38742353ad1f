package dev.weir.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of the file system that holds a configuration, read anew whenever it is asked for.
 *
 * @param name as messages and the log call it
 */
record ConfigFile(String name, Path path) {

  /** Null where there is none. */
  static @Nullable InputStream open(Path path) throws IOException {
    if (!Files.exists(path)) {
      return null;
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException("a directory or a device, which may never end");
    }
    return Files.newInputStream(path);
  }

  /**
   * What it holds now.
   *
   * @throws ConfigurationException when it is gone, cannot be read, or is no text
   */
  String text() {
    try (InputStream in = open(path)) {
      if (in == null) {
        throw refused("no file", "a file that exists");
      }
      return SourceText.read(name, in);
    } catch (IOException unreadable) {
      throw refused("a file that cannot be read", "a file that can be read");
    }
  }

  private ConfigurationException refused(String found, String expected) {
    return Problems.only(name, Node.Place.NONE, "", found, expected);
  }
}

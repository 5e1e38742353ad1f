package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A configuration file in the file system. Each call reads it again.
 *
 * @param name the name in messages and in the log
 */
public record ConfigFile(String name, Path path) {

  /** Opens a regular file, or returns null if it does not exist. */
  public static @Nullable InputStream open(Path path) throws IOException {
    if (!Files.exists(path)) {
      return null;
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException("a directory or a device, which may never end");
    }
    return Files.newInputStream(path);
  }

  /**
   * Returns the current content.
   *
   * @throws ConfigurationException when the file is missing, cannot be read, or is not text
   */
  public String text() {
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

package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration as it was found, before it is validated. Equal documents configure the same, so
 * adapters that open equal documents share one {@link Weir}.
 */
public sealed interface ConfigDocument {

  /** Returns the name in messages and in the log. */
  String name();

  /**
   * A file. Its identity is its path if it is in the file system, since its content may change. Any
   * other file is identified by its text alone, because it may be found by several names.
   *
   * @param disk where it can be read again
   * @param text its content
   */
  record File(String name, Optional<Path> disk, String text) implements ConfigDocument {

    /** Returns a file that cannot be read again. */
    public static File of(String name, String text) {
      return new File(name, Optional.empty(), text);
    }

    /**
     * Reads a file of the file system. Empty if it does not exist.
     *
     * @throws IOException when it cannot be read
     * @throws ConfigurationException when it is not text
     */
    public static Optional<File> onDisk(String name, Path path) throws IOException {
      if (!Files.exists(path)) {
        return Optional.empty();
      }
      if (!Files.isRegularFile(path)) {
        throw new IOException("a directory or a device, which may never end");
      }
      try (InputStream in = Files.newInputStream(path)) {
        Path identity = path.toAbsolutePath().normalize();
        return Optional.of(new File(name, Optional.of(identity), SourceText.read(name, in)));
      }
    }

    /**
     * Reads a file of the file system again.
     *
     * @throws ConfigurationException when it is missing, cannot be read, or is not text
     */
    public File again() {
      try {
        return onDisk(name, disk.orElseThrow())
            .orElseThrow(() -> refused("no file", "a file that exists"));
      } catch (IOException unreadable) {
        throw refused("a file that cannot be read", "a file that can be read");
      }
    }

    /** Returns the same file with another content. */
    public File withText(String newText) {
      return new File(name, disk, newText);
    }

    private ConfigurationException refused(String found, String expected) {
      return Reading.refused(name, Node.Place.NONE, "", found, expected);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof File that && identity().equals(that.identity());
    }

    @Override
    public int hashCode() {
      return identity().hashCode();
    }

    private Object identity() {
      return disk.isPresent() ? disk.get() : text;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * The init-params of one filter.
   *
   * @param owner the filter's name, which is also the default name of the rule
   */
  record InitParams(String owner, Map<String, String> params) implements ConfigDocument {

    public InitParams {
      params = Map.copyOf(params);
    }

    @Override
    public String name() {
      return "filter " + Redacted.quoted(owner);
    }

    /** Returns the name without the values, since a param may be a secret. */
    @Override
    public String toString() {
      return name();
    }
  }
}

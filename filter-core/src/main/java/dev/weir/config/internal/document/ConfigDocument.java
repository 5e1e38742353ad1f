package dev.weir.config.internal.document;

import dev.weir.config.Weir;
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

    /** Returns a file of the file system with this content. */
    public static File of(ConfigFile file, String text) {
      return new File(file.name(), Optional.of(file.path()), text);
    }

    public Optional<ConfigFile> again() {
      return disk.map(path -> new ConfigFile(name, path));
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

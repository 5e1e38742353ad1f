package dev.weir.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration as it was found, before anything in it is judged. Two that are equal configure
 * the same, so those who open both share one {@link Weir}.
 */
sealed interface ConfigDocument {

  /** As messages and the log call it. */
  String name();

  /**
   * A file. One of the file system is known by its path, since what it holds may change; any other
   * by its text alone, for it may be found by several names.
   *
   * @param disk where it can be read again
   * @param text what it holds
   */
  record File(String name, Optional<Path> disk, String text) implements ConfigDocument {

    /** One that cannot be read again. */
    static File of(String name, String text) {
      return new File(name, Optional.empty(), text);
    }

    /** What a file of the file system holds. */
    static File of(ConfigFile file, String text) {
      return new File(file.name(), Optional.of(file.path()), text);
    }

    Optional<ConfigFile> again() {
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
   * @param owner the filter's name, which is the rule's unless it is told otherwise
   */
  record InitParams(String owner, Map<String, String> params) implements ConfigDocument {

    public InitParams {
      params = Map.copyOf(params);
    }

    @Override
    public String name() {
      return "filter " + Shown.quoted(owner);
    }

    /** Without the values: a param may be a secret. */
    @Override
    public String toString() {
      return name();
    }
  }
}

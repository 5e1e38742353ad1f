package dev.weir.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The libraries that Weir uses. An application's build may replace one by another version, in which
 * classes or methods are missing. Java finds that when the code is first used. So a start uses it
 * once, by {@link #link}, and fails with the versions that were found.
 */
public final class Libraries {

  /**
   * A library.
   *
   * @param built the version that Weir is built with
   * @param type a class of it
   */
  public record Library(String name, String built, String type) {

    /** Returns the version that is found; empty if it is missing. */
    public Optional<String> found() {
      try {
        Class<?> found = Class.forName(type, false, Libraries.class.getClassLoader());
        return Optional.of(versionOf(found));
      } catch (ClassNotFoundException | LinkageError absent) {
        return Optional.empty();
      }
    }
  }

  /** What this module needs. */
  static final List<Library> OF_CORE =
      List.of(
          new Library("Jedis", "8.0.2", "redis.clients.jedis.Protocol"),
          new Library("SLF4J", "2.0.17", "org.slf4j.Logger"),
          new Library("Caffeine", "3.2.2", "com.github.benmanes.caffeine.cache.Caffeine"),
          new Library("Bucket4j", "8.19.0", "io.github.bucket4j.Bucket"));

  private Libraries() {}

  /**
   * Runs what uses libraries of this module, and no code of the application.
   *
   * @throws IllegalStateException when one of them is missing, or is there in another version
   */
  public static void link(Runnable use) {
    link(List.of(), use);
  }

  /** Does the same for what uses these libraries too. */
  public static void link(List<Library> others, Runnable use) {
    try {
      use.run();
    } catch (LinkageError e) {
      List<Library> all = Stream.concat(OF_CORE.stream(), others.stream()).toList();
      throw new IllegalStateException(
          "a library is missing, or there in another version: " + report(all), e);
    }
  }

  /** Returns the versions and the cure. The class that is missing is in the cause's message. */
  private static String report(List<Library> all) {
    List<Library> wrong =
        all.stream()
            .filter(library -> !library.found().equals(Optional.of(library.built())))
            .toList();
    String found =
        (wrong.isEmpty() ? all : wrong)
            .stream()
                .map(
                    it ->
                        "%s %s (expected: %s)"
                            .formatted(it.name, it.found().orElse("is missing"), it.built))
                .collect(Collectors.joining(", "));
    return found
        + ". Set these versions in the application's build (with Spring Boot, for example the"
        + " property jedis.version), or use the jar of Weir whose name ends with -all";
  }

  /** Returns the version that the manifest of its jar has, or else where it was found. */
  private static String versionOf(Class<?> found) {
    String file = found.getName().replace('.', '/') + ".class";
    @Nullable URL url = found.getResource("/" + file);
    if (url == null) {
      return "of an unknown version";
    }
    String jar = url.toString().replace(file, "");
    try (InputStream in = URI.create(jar + "META-INF/MANIFEST.MF").toURL().openStream()) {
      Attributes attributes = new Manifest(in).getMainAttributes();
      return Stream.of("Bundle-Version", "Implementation-Version")
          .map(attributes::getValue)
          .filter(version -> version != null)
          .findFirst()
          .orElse(jar);
    } catch (IOException | IllegalArgumentException unread) {
      return "in " + jar;
    }
  }
}

package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.config.ReadOptions;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the configuration is. It is found as the application finds it, and then in this folder. */
final class ConfigurationOptions {

  private static final String WEB_INF = "WEB-INF/weir.yaml";
  private static final String STANDARD_INPUT = "-";

  @Option(
      names = "--config",
      paramLabel = "FILE|WAR|-",
      description =
          "The configuration: a file, a WAR with WEB-INF/weir.yaml, or - for standard input."
              + " Otherwise weir.config, WEIR_CONFIG, ./weir.yaml or ./WEB-INF/weir.yaml.")
  @Nullable String config;

  @Option(
      names = "--classpath",
      paramLabel = "JARS",
      description = "Jars and folders with the classes that the configuration names.")
  @Nullable String classpath;

  boolean isStandardInput() {
    return STANDARD_INPUT.equals(config);
  }

  /**
   * Reads the configuration, and says which one it is.
   *
   * @throws dev.weir.config.ConfigurationException with every problem in it
   */
  Configuration read(ReadOptions options, Terminal terminal) {
    ReadOptions withoutClasses = options.withAssumedClasses();
    Thread.currentThread().setContextClassLoader(classLoader());
    String place = place();
    if (config == null) {
      terminal.err().println("configuration: " + place);
    }
    if (place.equals(STANDARD_INPUT)) {
      return Weir.read(terminal.text(), withoutClasses);
    }
    return place.endsWith(".war") && Files.isRegularFile(Path.of(place))
        ? readWar(place, withoutClasses)
        : Weir.read(source(place), withoutClasses);
  }

  private String place() {
    if (config != null) {
      requireExists("--config", config);
      return config;
    }
    return Optional.ofNullable(System.getProperty("weir.config"))
        .or(() -> Optional.ofNullable(System.getenv("WEIR_CONFIG")))
        .or(
            () ->
                Stream.of("weir.yaml", WEB_INF).filter(it -> Files.exists(Path.of(it))).findFirst())
        .orElseThrow(
            () ->
                Failure.usage(
                    "--config",
                    "nothing",
                    "a file, since weir.config, WEIR_CONFIG, ./weir.yaml and ./WEB-INF/weir.yaml are"
                        + " none"));
  }

  private static void requireExists(String option, String place) {
    boolean isElsewhere = place.equals(STANDARD_INPUT) || place.startsWith("classpath:");
    if (!isElsewhere && !Files.isRegularFile(Path.of(place))) {
      throw Failure.usage(option, "'" + place + "'", "a file that exists");
    }
  }

  /** Returns the source of a file. In a folder WEB-INF, its pages are those of the application. */
  private static WeirSource source(String place) {
    Path folder = Path.of(place).toAbsolutePath().getParent();
    @Nullable Path root = folder != null && folder.endsWith("WEB-INF") ? folder.getParent() : null;
    return new WeirSource(
        "weir-cli",
        Map.of("config", place),
        path -> {
          if (root == null || path.equals(place)) {
            return null;
          }
          Path page = root.resolve(path.substring(1));
          return Files.isRegularFile(page) ? Files.newInputStream(page) : null;
        },
        WeirSource.applicationClassLoader());
  }

  private static Configuration readWar(String war, ReadOptions options) {
    try (ZipFile zip = new ZipFile(war)) {
      if (zip.getEntry(WEB_INF) == null) {
        throw Failure.usage("--config", "'" + war + "'", "a WAR with " + WEB_INF);
      }
      WeirSource source =
          new WeirSource(
              "weir-cli",
              Map.of("config", "/" + WEB_INF),
              path -> {
                @Nullable ZipEntry entry = zip.getEntry(path.substring(1));
                return entry == null ? null : zip.getInputStream(entry);
              },
              WeirSource.applicationClassLoader());
      return Weir.read(source, options);
    } catch (IOException unreadable) {
      throw Failure.usage("--config", "'" + war + "'", "a WAR that can be read");
    }
  }

  private ClassLoader classLoader() {
    ClassLoader own = ConfigurationOptions.class.getClassLoader();
    if (classpath == null) {
      return own;
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (!Files.exists(Path.of(entry))) {
        throw Failure.usage("--classpath", "'" + entry + "'", "jars and folders that exist");
      }
      try {
        urls.add(Path.of(entry).toUri().toURL());
      } catch (MalformedURLException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), own);
  }
}

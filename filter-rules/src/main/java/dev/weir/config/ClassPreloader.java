package dev.weir.config;

import dev.weir.internal.store.DaemonThreads;
import dev.weir.internal.store.Failures;
import dev.weir.store.LimitStore;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collection;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Loads all classes of the library that have not been used yet, once, on a thread of its own.
 *
 * <p>A container may delete or replace the jars of an application and stop it only afterwards, as
 * Tomcat does with an exploded one. Code that runs for the first time then cannot be loaded any
 * more. Without it the engine could not be closed: its threads would stay, and so would its node in
 * Redis.
 *
 * <p>Classes are loaded and not initialised. So this thread runs no code of theirs.
 */
final class ClassPreloader {

  private static final Logger LOG = System.getLogger("dev.weir.config");
  private static final String OURS = "dev/weir/";
  private static final String OTHERS = OURS + "shaded/";
  private static final String CLASS = ".class";
  private static final long ENDING_MILLIS = 400;

  /** Whether one has loaded all of them: further engines of this class loader need no other. */
  private static volatile boolean isComplete;

  private final Thread thread = DaemonThreads.thread("weir-classes", this::run);
  private volatile boolean hasEnded;

  private ClassPreloader() {}

  static ClassPreloader start() {
    ClassPreloader preloader = new ClassPreloader();
    if (!isComplete) {
      preloader.thread.start();
    }
    return preloader;
  }

  private void run() {
    try {
      // where the classes of limiters and of rules are: two jars, or one that has all
      Collection<URL> locations =
          Stream.of(LimitStore.class, ClassPreloader.class)
              .map(type -> type.getProtectionDomain().getCodeSource())
              .filter(source -> source != null && source.getLocation() != null)
              .map(CodeSource::getLocation)
              .collect(Collectors.toMap(URL::toString, location -> location, (one, same) -> one))
              .values();
      for (URL location : locations) {
        names(location).forEach(this::load);
      }
      isComplete = !hasEnded;
    } catch (IOException | URISyntaxException | RuntimeException unknown) {
      LOG.log(Level.DEBUG, () -> "classes are not preloaded: " + Failures.brief(unknown));
    }
  }

  private void load(String name) {
    if (hasEnded) {
      return;
    }
    try {
      Class.forName(name, false, ClassPreloader.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError absent) {
      // part of an optional API, or the files have gone already
    }
  }

  /** Returns the names of the library's classes in a jar or a directory. */
  private static List<String> names(URL location) throws IOException, URISyntaxException {
    if (location.getProtocol().equals("file") && Files.isDirectory(Path.of(location.toURI()))) {
      Path root = Path.of(location.toURI());
      try (Stream<Path> files = Files.walk(root)) {
        return names(
            files.map(file -> root.relativize(file).toString().replace(File.separatorChar, '/')));
      }
    }
    URL jar = location.getProtocol().equals("jar") ? location : new URL("jar:" + location + "!/");
    JarURLConnection connection = (JarURLConnection) jar.openConnection();
    connection.setUseCaches(false);
    try (JarFile file = connection.getJarFile()) {
      return names(file.stream().map(ZipEntry::getName));
    }
  }

  private static List<String> names(Stream<String> files) {
    return files
        .filter(file -> file.startsWith(OURS) && !file.startsWith(OTHERS) && file.endsWith(CLASS))
        .map(file -> file.substring(0, file.length() - CLASS.length()).replace('/', '.'))
        .toList();
  }

  /** Ends the thread, which has nothing to load any more. */
  void end() throws InterruptedException {
    hasEnded = true;
    thread.join(ENDING_MILLIS);
  }
}

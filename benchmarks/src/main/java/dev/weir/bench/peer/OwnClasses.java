package dev.weir.bench.peer;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A class loader that loads all classes anew, except those that the run shares with what it
 * measures. Weir itself comes from the jar if there is one, and from nowhere else.
 */
final class OwnClasses extends URLClassLoader {

  private static final List<String> SHARED =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "jakarta.",
          "org.eclipse.jetty.",
          "org.slf4j.",
          Contender.class.getName(),
          Numbers.class.getName());

  private static final String WEIR = "dev/weir/";
  private static final String SERVICES_OF_WEIR = "META-INF/services/dev.weir.";

  /** The measurement is this build's, whatever it measures. */
  private static final String BENCH = "dev/weir/bench/";

  private final Optional<URL> jar;

  OwnClasses(Optional<EarlierJar> jar) {
    super(urls(jar), Build.class.getClassLoader());
    this.jar = jar.map(earlier -> url(earlier.path()));
  }

  /** Returns the jar, and behind it the class path of this run. */
  private static URL[] urls(Optional<EarlierJar> jar) {
    Stream<Path> classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of);
    return Stream.concat(jar.map(EarlierJar::path).stream(), classPath)
        .map(OwnClasses::url)
        .toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (SHARED.stream().anyMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }

  /**
   * @throws ClassNotFoundException when there is none; the message names the jar if it is required
   *     to have it
   */
  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    if (isOfJar(file) && findResource(file) == null) {
      throw new ClassNotFoundException(name + ": not in " + jar.orElseThrow());
    }
    return super.findClass(name);
  }

  @Override
  public @Nullable URL findResource(String name) {
    URL found = super.findResource(name);
    return found != null && isRightPlace(name, found) ? found : null;
  }

  @Override
  public Enumeration<URL> findResources(String name) throws IOException {
    List<URL> found = new ArrayList<>();
    for (URL each : Collections.list(super.findResources(name))) {
      if (isRightPlace(name, each)) {
        found.add(each);
      }
    }
    return Collections.enumeration(found);
  }

  @Override
  public @Nullable URL getResource(String name) {
    URL own = findResource(name);
    return own == null && !isOfJar(name) ? super.getResource(name) : own;
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    Enumeration<URL> own = findResources(name);
    return own.hasMoreElements() || isOfJar(name) ? own : super.getResources(name);
  }

  private boolean isRightPlace(String name, URL found) {
    return !isOfJar(name) || found.toString().startsWith("jar:" + jar.orElseThrow() + "!/");
  }

  /** Returns whether only the jar may have this file. */
  private boolean isOfJar(String name) {
    boolean isWeirs = name.startsWith(WEIR) || name.startsWith(SERVICES_OF_WEIR);
    return jar.isPresent() && isWeirs && !name.startsWith(BENCH);
  }
}

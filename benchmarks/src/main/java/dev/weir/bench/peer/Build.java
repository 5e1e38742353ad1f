package dev.weir.bench.peer;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A build of Weir and of the peers: this one, or an earlier one of Weir. What is loaded from it has
 * a class loader of its own, as each WAR has. So the compiler sees what this one application does,
 * and not what all others do with the same code.
 */
public final class Build {

  /** Names an earlier build in rows. */
  public static final String EARLIER = "before";

  private final Optional<Path> jar;

  private Build(Optional<Path> jar) {
    this.jar = jar;
  }

  /** Returns the build of this run. */
  public static Build current() {
    return new Build(Optional.empty());
  }

  /**
   * Returns an earlier build of Weir.
   *
   * @param jar its all-jar of the Servlet filter
   * @throws IllegalArgumentException when there is no such file
   */
  public static Build earlier(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new IllegalArgumentException(
          "bench.before: '" + jar + "' (expected: the all-jar of an earlier build)");
    }
    return new Build(Optional.of(jar));
  }

  /** Returns a class of this name out of this build, anew. */
  public <T> Class<? extends T> load(String name, Class<T> type) {
    try {
      return new OwnClasses(jar).loadClass(name).asSubclass(type);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + ": not in this build", e);
    }
  }

  /** Returns Weir's limiter whose decisions are all made in Redis. */
  public Contender exact(String uri, int keys, Numbers numbers) {
    try {
      return (Contender)
          load(Ours.class.getName(), Contender.class)
              .getMethod("exact", String.class, int.class, Numbers.class)
              .invoke(null, uri, keys, numbers);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the earlier build has another API than this one", e);
    }
  }

  /** Loads all classes anew, but those that the run shares with what it measures. */
  private static final class OwnClasses extends URLClassLoader {

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
            Numbers.class.getName(),
            SeenOutages.class.getName());

    OwnClasses(Optional<Path> jar) {
      super(urls(jar), Build.class.getClassLoader());
    }

    /** Returns the jar, and behind it the class path of this run. */
    private static URL[] urls(Optional<Path> jar) {
      Stream<Path> classPath =
          Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
              .map(Path::of);
      List<URL> urls = new ArrayList<>();
      Stream.concat(jar.stream(), classPath).map(OwnClasses::url).forEach(urls::add);
      return urls.toArray(URL[]::new);
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

    @Override
    public URL getResource(String name) {
      URL own = findResource(name);
      return own == null ? super.getResource(name) : own;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      Enumeration<URL> own = findResources(name);
      return own.hasMoreElements() ? own : super.getResources(name);
    }
  }
}

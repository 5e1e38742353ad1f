package dev.weir.bench.peer;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;

/**
 * A build of Weir and of the peers: this one, or an earlier one of Weir. Each object has a class
 * loader of its own, as each WAR has. So the compiler sees what this one contender does, and not
 * what all others do with the same code. Close it after all that came from it.
 */
public final class Build implements AutoCloseable {

  /** Names an earlier build in rows. */
  public static final String EARLIER = "before";

  private final OwnClasses classes;
  private final String application;

  private Build(Optional<EarlierJar> jar, String application) {
    classes = new OwnClasses(jar);
    this.application = application;
  }

  /** Returns the build of this run, loaded anew. */
  public static Build current() {
    return new Build(Optional.empty(), Keys.APPLICATION);
  }

  /** Returns an earlier build of Weir, loaded anew. */
  public static Build earlier(EarlierJar jar) {
    return new Build(Optional.of(jar), Keys.EARLIER_APPLICATION);
  }

  /** Returns the application that names its keys in Redis: no build counts those of another. */
  public String application() {
    return application;
  }

  /** Returns the class of this name out of this build. */
  public <T> Class<? extends T> load(String name, Class<T> type) {
    try {
      return classes.loadClass(name).asSubclass(type);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalStateException(name + ": not in this build", e);
    }
  }

  /** Returns Weir's limiter whose decisions are all made in Redis. */
  public Contender exact(String uri, int keys, Numbers numbers) {
    try {
      return (Contender)
          load(Ours.class.getName(), Contender.class)
              .getMethod("exact", String.class, String.class, int.class, Numbers.class)
              .invoke(null, application, uri, keys, numbers);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw failure("weir", e);
    }
  }

  /** Returns a peer on Redis, with so many connections. */
  public Contender peer(
      Class<? extends Contender> like, String uri, int pool, int keys, Numbers numbers) {
    try {
      return load(like.getName(), Contender.class)
          .getConstructor(String.class, int.class, int.class, Numbers.class)
          .newInstance(uri, pool, keys, numbers);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw failure(like.getSimpleName(), e);
    }
  }

  private static IllegalStateException failure(String name, Throwable e) {
    Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
    return new IllegalStateException(
        name + ": not created out of its build (expected: the API of this one): " + cause, cause);
  }

  @Override
  public void close() throws IOException {
    classes.close();
  }
}

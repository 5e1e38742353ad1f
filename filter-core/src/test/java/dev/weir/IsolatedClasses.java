package dev.weir;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Loads all classes anew, as the class path of another process does. Some may be missing. */
public final class IsolatedClasses extends ClassLoader {

  private final String hidden;
  private final Set<String> loaded = ConcurrentHashMap.newKeySet();

  /**
   * @param hidden how the names begin that are missing
   */
  public IsolatedClasses(String hidden) {
    super(IsolatedClasses.class.getClassLoader());
    this.hidden = hidden;
  }

  /** Returns the names of the classes that were loaded since the last call. */
  public Set<String> takeLoaded() {
    Set<String> names = Set.copyOf(loaded);
    loaded.removeAll(names);
    return names;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      if (name.startsWith(hidden)) {
        throw new ClassNotFoundException(name);
      }
      return name.startsWith("java") ? super.loadClass(name, resolve) : defined(name);
    }
  }

  private Class<?> defined(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      loaded.add(name);
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}

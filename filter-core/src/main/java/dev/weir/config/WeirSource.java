package dev.weir.config;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where an adapter looks for its configuration.
 *
 * @param owner the name of the filter or provider, as messages call it; a rule made of init-params
 *     bears it unless they name it
 * @param initParams the adapter's own, as the deployer wrote them
 * @param resources the resources of the web application
 * @param classLoader the application's; who opens the same configuration under the same class
 *     loader shares one {@link Weir}
 */
public record WeirSource(
    String owner, Map<String, String> initParams, Resources resources, ClassLoader classLoader) {

  /** Opens resources of a web application, as {@code ServletContext::getResourceAsStream} does. */
  @FunctionalInterface
  public interface Resources {

    /** There is no web application. */
    Resources NONE = path -> null;

    /** The resource, or null where there is none. */
    @Nullable InputStream open(String path) throws IOException;
  }

  public WeirSource {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(resources, "resources");
    Objects.requireNonNull(classLoader, "classLoader");
    initParams = Map.copyOf(initParams);
  }

  /** An adapter with nothing of its own, in the application of the current thread. */
  public static WeirSource of(String owner) {
    return new WeirSource(owner, Map.of(), Resources.NONE, applicationClassLoader());
  }

  /** The class loader of the application that runs on this thread. */
  public static ClassLoader applicationClassLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null
        ? context
        : Objects.requireNonNullElseGet(
            WeirSource.class.getClassLoader(), ClassLoader::getSystemClassLoader);
  }

  /** Without the params' values: one may be a secret. */
  @Override
  public String toString() {
    return owner + " " + initParams.keySet();
  }
}

package dev.weir.config;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places where an adapter finds its configuration.
 *
 * @param owner the name of the filter or provider, as messages call it. A rule made of init-params
 *     has this name unless they name it
 * @param initParams the adapter's own, as the deployer wrote them
 * @param resources the resources of the web application
 * @param classLoader the application's. Adapters that open the same configuration under the same
 *     class loader share one {@link Weir}
 */
public record WeirSource(
    String owner, Map<String, String> initParams, Resources resources, ClassLoader classLoader) {

  /** Opens resources of a web application, as {@code ServletContext::getResourceAsStream} does. */
  @FunctionalInterface
  public interface Resources {

    /** Resources without a web application. */
    Resources NONE = path -> null;

    /** Returns the resource, or null if it does not exist. */
    @Nullable InputStream open(String path) throws IOException;
  }

  public WeirSource {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(resources, "resources");
    Objects.requireNonNull(classLoader, "classLoader");
    initParams = Map.copyOf(initParams);
  }

  /** Returns a source for an adapter without settings, in the application of the current thread. */
  public static WeirSource of(String owner) {
    return new WeirSource(owner, Map.of(), Resources.NONE, applicationClassLoader());
  }

  /** Returns the class loader of the application that runs on this thread. */
  public static ClassLoader applicationClassLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null
        ? context
        : Objects.requireNonNullElseGet(
            WeirSource.class.getClassLoader(), ClassLoader::getSystemClassLoader);
  }

  /** Returns the names of the params without their values, since one may be a secret. */
  @Override
  public String toString() {
    return owner + " " + initParams.keySet();
  }
}

package dev.weir.config;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
 * @param contextPath the path of the web application, empty for the root; absent outside of one. It
 *     is part of log lines, of the names of threads, and of the name in JMX
 * @param stage where the adapter stands
 */
public record WeirSource(
    String owner,
    Map<String, String> initParams,
    Resources resources,
    ClassLoader classLoader,
    Optional<String> contextPath,
    Stage stage) {

  /** Where an adapter stands. */
  public enum Stage {
    /** In an application. Its container has answered its own form login before. */
    APPLICATION,
    /** In the container, in front of its logins. */
    CONTAINER
  }

  /** Opens resources of a web application, as {@code ServletContext::getResourceAsStream} does. */
  @FunctionalInterface
  public interface Resources {

    /** Resources without a web application. */
    Resources NONE = path -> null;

    /** Returns the resource, or null if it does not exist. */
    @Nullable InputStream open(String path) throws IOException;
  }

  /** Creates a source of an adapter in an application whose path is not known. */
  public WeirSource(
      String owner, Map<String, String> initParams, Resources resources, ClassLoader classLoader) {
    this(owner, initParams, resources, classLoader, Optional.empty(), Stage.APPLICATION);
  }

  public WeirSource {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(resources, "resources");
    Objects.requireNonNull(classLoader, "classLoader");
    Objects.requireNonNull(contextPath, "contextPath");
    Objects.requireNonNull(stage, "stage");
    initParams = Map.copyOf(initParams);
  }

  /** Returns a source for an adapter without settings, in the application of the current thread. */
  public static WeirSource of(String owner) {
    return new WeirSource(owner, Map.of(), Resources.NONE, applicationClassLoader());
  }

  /** Returns the same source in the web application with this path. */
  public WeirSource inApplication(String path) {
    return new WeirSource(owner, initParams, resources, classLoader, Optional.of(path), stage);
  }

  /** Returns the same source for an adapter that stands in the container. */
  public WeirSource inContainer() {
    return new WeirSource(owner, initParams, resources, classLoader, contextPath, Stage.CONTAINER);
  }

  /** Returns the same source with these init-params. */
  WeirSource withParams(Map<String, String> params) {
    return new WeirSource(owner, params, resources, classLoader, contextPath, stage);
  }

  /** Returns the class loader of the application that runs on this thread. */
  public static ClassLoader applicationClassLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null
        ? context
        : Objects.requireNonNullElseGet(
            WeirSource.class.getClassLoader(), ClassLoader::getSystemClassLoader);
  }

  /** Returns the owner in log lines, which distinguishes applications. */
  String title() {
    return titled(owner);
  }

  /**
   * Returns the name of something of this application in log lines, which distinguishes
   * applications.
   */
  String titled(String name) {
    return contextPath.map(path -> name + " of " + (path.isEmpty() ? "/" : path)).orElse(name);
  }

  /** Returns the names of the params without their values, since one may be a secret. */
  @Override
  public String toString() {
    return owner + " " + initParams.keySet();
  }
}

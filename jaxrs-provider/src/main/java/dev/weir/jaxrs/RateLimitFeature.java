package dev.weir.jaxrs;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.jaxrs.JaxrsRequestView.Server;
import dev.weir.jaxrs.RateLimitProvider.Configured;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.ServletContext;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A feature that limits the requests of a JAX-RS application.
 *
 * <pre>{@code
 * public class Shop extends Application {
 *   @Override
 *   public Set<Class<?>> getClasses() {
 *     return Set.of(RateLimitFeature.class);
 *   }
 * }
 * }</pre>
 *
 * <p>The configuration's rules for a request are decided before JAX-RS matches it with a resource,
 * unless a {@code RateLimitFilter} in front has done so. The rules of {@link RateLimited} are
 * decided after it. Both come before authentication. Rules that need the user come after
 * authentication and before authorization. Every response of JAX-RS carries the fields of the
 * decision, also the response to an exception.
 *
 * <p>{@link Weir#open(WeirSource)} says where the configuration is searched for. If none is found,
 * the feature joins the configuration of the application's filter, or one that code has opened
 * before. If there is neither, only annotations with limits of their own apply, and each process
 * counts by itself. An annotation that names a rule then stops the application from starting.
 * Without any annotation, the feature then answers all requests with 503.
 *
 * <p>JAX-RS does not provide the address that a request comes from. A servlet container does.
 * Elsewhere {@link #clientAddress} must provide it, otherwise a rule that counts by address stops
 * the application from starting.
 *
 * <p>A feature closes what it has opened when the web application ends, or when the server destroys
 * the feature. Jersey destroys one that was registered as a class. In two cases the code that
 * registered an object must {@linkplain #close close} it: outside of a servlet container, and in
 * one that runs no {@link jakarta.servlet.ServletContainerInitializer} of a library. Do not
 * register one feature with two applications.
 */
public final class RateLimitFeature implements Feature, AutoCloseable {

  private static final Logger LOGGER = System.getLogger(RateLimitFeature.class.getName());
  private static final String OWNER = "RateLimitFeature";

  /** The packages of RESTEasy Reactive, the server of Quarkus REST. */
  private static final String QUARKUS_REST = "org.jboss.resteasy.reactive.";

  private final Optional<Weir> given;
  private final Optional<ConfiguredServer> configured;
  private volatile @Nullable Weir own;

  /** Creates a feature that a file, or the filter of the same application, configures. */
  public RateLimitFeature() {
    this(Optional.empty(), Optional.empty());
  }

  /**
   * Creates a feature that limits by the rules of this Weir.
   *
   * @param weir closed by its owner, after the last request
   */
  public RateLimitFeature(Weir weir) {
    this(Optional.of(weir), Optional.empty());
  }

  private RateLimitFeature(Optional<Weir> given, Optional<ConfiguredServer> configured) {
    this.given = given;
    this.configured = configured;
  }

  /**
   * Returns the same feature with a function that provides the address a request comes from. That
   * is the address of the peer, before any forwarding header is evaluated. The peer of a Unix
   * socket is {@code unix:} or the path of its own socket. An empty text counts as none, because
   * servers report it of peers that they do not know. The function is called on the request's
   * thread and must be thread-safe.
   */
  public RateLimitFeature clientAddress(
      Function<ContainerRequestContext, Optional<String>> peerAddress) {
    return new RateLimitFeature(given, Optional.of(new ConfiguredServer(peerAddress)));
  }

  /**
   * Starts limiting, whether Redis is up or down.
   *
   * @throws ConfigurationException when anything is wrong with the configuration
   * @throws IllegalStateException when a rule counts by address and no address is available, or on
   *     Quarkus REST
   */
  @Override
  public boolean configure(FeatureContext context) {
    requireSupport(context);
    if (isServletApiPresent()) {
      context.register(new InServletContainer(this));
    } else {
      startAlone(context);
    }
    return true;
  }

  /** Closes what the feature opened, and nothing else. Idempotent. */
  @Override
  @PreDestroy
  public void close() {
    Weir weir = own;
    own = null;
    if (weir != null) {
      weir.close();
    }
  }

  /**
   * Refuses a server on which the rules would not do what they say. Quarkus REST provides no path
   * as it was sent. It also asks no feature which resource methods to limit.
   */
  private void requireSupport(FeatureContext context) {
    if (context.getClass().getName().startsWith(QUARKUS_REST)) {
      IllegalStateException refused =
          new IllegalStateException(
              OWNER
                  + ": on Quarkus REST (expected: Jersey, RESTEasy, CXF or another server of"
                  + " Jakarta REST). There, rules with a path would match every path, and"
                  + " @RateLimited would limit nothing. Do not register the feature. Use a limiter"
                  + " such as TokenLimiter in a request filter of your own");
      stopStart(refused);
      throw refused;
    }
  }

  private void startAlone(FeatureContext context) {
    start(context, configured.<Server>map(it -> it).orElse(Server.UNKNOWN), this::openedAlone);
  }

  private void start(FeatureContext context, Server server, Supplier<Configured> opening) {
    Configured configured = given.map(Configured::with).orElseGet(opening);
    RateLimitProvider provider = new RateLimitProvider(configured, server);
    try {
      provider.requireAddress();
    } catch (IllegalStateException e) {
      stopStart(e);
      throw e;
    }
    provider.register(context);
    RateLimitBinding binding = new RateLimitBinding(configured, provider, this::stopStart);
    Configuration application = context.getConfiguration(); // has what the server includes in it
    binding.checkBelow(
        Stream.concat(
                application.getClasses().stream(),
                application.getInstances().stream().map(Object::getClass))
            .filter(type -> type.isAnnotationPresent(Path.class)));
    context.register(binding);
  }

  /** Closes the feature, and logs why: servers log it apart from everything else, or not at all. */
  private void stopStart(RuntimeException why) {
    String reason = Objects.requireNonNullElse(why.getMessage(), why.toString());
    LOGGER.log(Level.ERROR, () -> OWNER + " does not start:%n%s".formatted(reason));
    close();
  }

  private Configured openedAlone() {
    return running(Weir.join(WeirSource.of(OWNER)));
  }

  /** Returns this Weir if it runs, otherwise one without rules: no configuration will be opened. */
  private Configured running(Weir joined) {
    try {
      joined.limiter();
    } catch (ConfigurationException missing) {
      joined.close();
      return new Configured(opened(Weir.builder().start()), Optional.of(missing));
    }
    return Configured.with(opened(joined));
  }

  private Weir opened(Weir weir) {
    own = weir;
    return weir;
  }

  private static boolean isServletApiPresent() {
    try {
      Class.forName(
          "jakarta.servlet.http.HttpServletRequest",
          false,
          RateLimitFeature.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** A server that takes peer addresses from a function of the user. */
  private static final class ConfiguredServer implements Server {

    private final Function<ContainerRequestContext, Optional<String>> function;
    private final AtomicBoolean isReported = new AtomicBoolean();

    private ConfiguredServer(Function<ContainerRequestContext, Optional<String>> function) {
      this.function = Objects.requireNonNull(function, "peerAddress");
    }

    @Override
    public boolean knowsPeer() {
      return true;
    }

    /** Returns empty when the function fails; all such requests share one address. */
    @Override
    public Optional<String> peerAddress(ContainerRequestContext request) {
      try {
        return Objects.requireNonNull(function.apply(request), "an address, or empty")
            .filter(address -> !address.isEmpty());
      } catch (RuntimeException e) {
        if (!isReported.getAndSet(true)) {
          // its message may hold a client's secrets
          String place = Stream.of(e.getStackTrace()).findFirst().map(at -> " at " + at).orElse("");
          LOGGER.log(
              Level.ERROR,
              "clientAddress failed; such requests share one address: "
                  + e.getClass().getName()
                  + place);
        }
        return Optional.empty();
      }
    }
  }

  /**
   * The part of the feature that uses servlets, so that the rest loads without them. It is a
   * feature of its own because some servers inject nothing into the outer one.
   */
  private static final class InServletContainer implements Feature {

    /** From a module that may be absent. */
    private static final String FILTER = "dev.weir.servlet.RateLimitFilter";

    private final RateLimitFeature feature;
    @Context private @Nullable ServletContext injected;
    @Context private @Nullable Configuration injectedBefore;

    private InServletContainer(RateLimitFeature feature) {
      this.feature = feature;
    }

    @Override
    public boolean configure(FeatureContext context) {
      Optional<ServletContext> application =
          Optional.ofNullable(injected)
              .filter(InServletContainer::isUsable)
              .or(ServletApplications::current);
      // RESTEasy injects a context that throws outside of requests; CXF none before the first
      boolean isInjectedLater = injected != null || injectedBefore == null;
      if (application.isEmpty() && !isInjectedLater) {
        feature.startAlone(context);
        return true;
      }
      application.ifPresent(ServletApplications::listenToRequests);
      ServletServer server = new ServletServer(feature.configured);
      context.register(server);
      feature.start(
          context, server, () -> application.map(this::openedIn).orElseGet(this::openedAnywhere));
      application.ifPresent(this::deployed);
      return true;
    }

    /** Says where it is. If the application's filter opens the configuration later, it says so. */
    private void deployed(ServletContext application) {
      Weir weir = feature.given.orElse(feature.own);
      try {
        if (weir != null) {
          weir.deployedAt(application.getContextPath());
        }
      } catch (ConfigurationException openedLater) {
        return;
      }
    }

    /**
     * Opens the configuration when the server does not provide the application, and applications
     * share its class loader.
     */
    private Configured openedAnywhere() {
      Configured opened = feature.openedAlone();
      if (opened.missing().isPresent()) {
        LOGGER.log(
            Level.WARNING,
            "the web application is not known, so /WEB-INF/weir.yaml was not looked for; only"
                + " annotations limit. A file on the class path is found.");
      }
      return opened;
    }

    private static boolean isUsable(ServletContext application) {
      try {
        application.getContextPath();
        return true;
      } catch (RuntimeException notInAnApplication) {
        return false;
      }
    }

    private Configured openedIn(ServletContext servlets) {
      WeirSource alone = WeirSource.of(OWNER);
      Weir weir =
          Weir.join(
              new WeirSource(
                      OWNER, alone.initParams(), servlets::getResourceAsStream, alone.classLoader())
                  .inApplication(servlets.getContextPath()));
      ServletApplications.closeWith(servlets, feature);
      // the filter opens a configuration, even if it is not initialised yet
      boolean hasFilter =
          servlets.getFilterRegistrations().values().stream()
              .anyMatch(filter -> FILTER.equals(filter.getClassName()));
      return hasFilter ? Configured.with(feature.opened(weir)) : feature.running(weir);
    }
  }
}

package dev.weir.tomcat;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.DenialResponse;
import dev.weir.http.OnDenial.Degrade;
import dev.weir.http.Rule;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.catalina.Globals;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/**
 * A valve that limits unchanged applications, in front of their filters and of Tomcat's
 * authentication. As a {@code Valve} in {@code context.xml} it limits one application or each one.
 * In the {@code Host} or {@code Engine} of {@code server.xml} it limits all of them together.
 *
 * <p>Valves with the same attributes share one configuration and its limits. For example, a valve
 * in {@code conf/context.xml} applies to each application and limits all of them together. In
 * process and in Redis, {@code application} and {@code name} distinguish limits.
 *
 * <p>Its attributes are those that {@link RateLimitFilter} takes as init-params. A relative path in
 * {@value #CONFIG} starts at {@code catalina.base}. Rules match the path within an application.
 * There is no principal yet, unless a valve in front has set one.
 *
 * <p>A request is decided when it arrives, not when it is dispatched later. A request that a rule
 * delays waits on its thread. The valve does not start with a rule that has {@code degrade to}, or
 * that answers denials by a forward: the page would be served without authentication. Thread-safe
 * once started.
 */
public final class RateLimitValve extends ValveBase {

  static final String CONFIG = "config";

  private static final Logger LOG = System.getLogger("dev.weir.tomcat");

  /** Does not match a Windows drive letter. */
  private static final Pattern URI_SCHEME = Pattern.compile("[A-Za-z]{2,}:");

  private final Map<String, String> attributes = new HashMap<>();
  private @Nullable Weir weir;
  private @Nullable RateLimitFilter filter;

  /** Creates a valve. Tomcat sets its attributes and starts it. */
  public RateLimitValve() {
    super(true);
  }

  /**
   * Sets an attribute. Tomcat calls this for attributes that have no setter.
   *
   * @return true: attributes are checked only when the valve starts
   */
  public boolean setProperty(String name, String value) {
    attributes.put(name, value);
    return true;
  }

  /**
   * Starts limiting, whether Redis is up or down.
   *
   * @throws LifecycleException when anything is wrong with the configuration; the message holds
   *     every problem, one a line
   */
  @Override
  protected void startInternal() throws LifecycleException {
    Weir opened = open();
    try {
      opened.require(RateLimitValve::requireNoOtherPath);
    } catch (IllegalStateException refused) {
      LOG.log(Level.ERROR, () -> "valve does not start: " + refused.getMessage());
      opened.close();
      throw new LifecycleException(refused.getMessage(), refused);
    }
    weir = opened;
    filter = new RateLimitFilter(opened);
    super.startInternal();
  }

  private Weir open() throws LifecycleException {
    try {
      Map<String, String> params = new HashMap<>(attributes);
      params.computeIfPresent(CONFIG, (name, place) -> inBase(place));
      return Weir.open(
          new WeirSource(
                  "valve",
                  params,
                  WeirSource.Resources.NONE,
                  Objects.requireNonNull(RateLimitValve.class.getClassLoader()))
              .inContainer());
    } catch (ConfigurationException | InvalidPathException e) {
      throw new LifecycleException(e.getMessage(), e);
    }
  }

  private static String inBase(String place) {
    return URI_SCHEME.matcher(place).lookingAt()
        ? place
        : Path.of(System.getProperty(Globals.CATALINA_BASE_PROP, "")).resolve(place).toString();
  }

  private static void requireNoOtherPath(Rule rule) {
    if (rule.onDenial() instanceof Degrade degrade && degrade.path().isPresent()) {
      throw new IllegalStateException(
          "rule '%s': on-denial: degrade to %s (expected: degrade, without a path: a valve runs before authentication)"
              .formatted(rule.name(), degrade.path().get()));
    }
    Optional<DenialResponse.Page> page = rule.onDenial().response().flatMap(DenialResponse::page);
    if (page.isPresent() && page.get() instanceof DenialResponse.Page.Forward forward) {
      throw new IllegalStateException(
          "rule '%s': denied: forward %s (expected: html, or json: a valve runs before authentication)"
              .formatted(rule.name(), forward.path()));
    }
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    RateLimitFilter started = Objects.requireNonNull(filter, "the valve is not started");
    if (request.isAsync()) { // dispatched, or answered by Tomcat after a timeout
      started.doFilter(
          new DecidedBefore(request.getRequest()),
          response.getResponse(),
          (same, its) -> getNext().invoke(request, response));
      return;
    }
    try {
      started.doFilter(
          request.getRequest(),
          response.getResponse(),
          (passing, answer) -> pass(request, passing, response, answer));
    } catch (HandledByTomcat failed) {
      // the filter knows of the failure, and Tomcat answers
    }
  }

  private void pass(
      Request request, ServletRequest passing, Response response, ServletResponse answer)
      throws IOException, ServletException {
    request.setRequest((HttpServletRequest) passing);
    response.setResponse((HttpServletResponse) answer);
    getNext().invoke(request, response);
    if (hasFailed(request, response)) {
      throw new HandledByTomcat();
    }
  }

  /** Checks the status too: frameworks also leave the exception there when they have handled it. */
  private static boolean hasFailed(Request request, Response response) {
    return request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null
        && response.isError()
        && response.getStatus() >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
  }

  /**
   * A request as the filter sees it when a thread comes back to it. The filter decides nothing
   * about an error page, but keeps what the request holds for as long as the thread is inside.
   */
  private static final class DecidedBefore extends HttpServletRequestWrapper {

    private DecidedBefore(HttpServletRequest request) {
      super(request);
    }

    @Override
    public DispatcherType getDispatcherType() {
      return DispatcherType.ERROR;
    }
  }

  /**
   * Thrown to report an application's exception to the filter: Tomcat catches it behind this valve.
   */
  private static final class HandledByTomcat extends ServletException {
    private static final long serialVersionUID = 1L;
  }

  /** Stops answering requests and closes everything that it opened. */
  @Override
  protected void stopInternal() throws LifecycleException {
    try {
      super.stopInternal();
    } finally {
      filter = null;
      if (weir != null) {
        weir.close();
        weir = null;
      }
    }
  }
}

package dev.weir.tomcat;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.OnDenial.Degrade;
import dev.weir.http.Rule;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.catalina.Globals;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/**
 * Limits applications that stay as they are, in front of their filters and of Tomcat's
 * authentication: as a {@code Valve} in {@code context.xml} for one application or for each, in the
 * {@code Host} or {@code Engine} of {@code server.xml} for all together.
 *
 * <p>Valves with the same attributes share one configuration and its limits: one that stands in
 * {@code conf/context.xml}, which is for each application, limits all of them together. In process
 * and in Redis, {@code application} and {@code name} tell limits apart.
 *
 * <p>Its attributes are those that {@link RateLimitFilter} takes as init-params. A relative path in
 * {@value #CONFIG} starts at {@code catalina.base}. Rules match the path within an application.
 * There is no principal yet, unless a Valve in front has found one.
 *
 * <p>A request is decided when it arrives, not where it is dispatched to later. One that a rule
 * delays waits on its thread. A rule with {@code degrade to} is refused: the page would be served
 * without authentication. Thread-safe once it is started.
 */
public final class RateLimitValve extends ValveBase {

  static final String CONFIG = "config";

  /** Not the letter of a drive. */
  private static final Pattern URI_SCHEME = Pattern.compile("[A-Za-z]{2,}:");

  private final Map<String, String> attributes = new HashMap<>();
  private @Nullable Weir weir;
  private @Nullable RateLimitFilter filter;

  /** To be configured by its attributes, and started by Tomcat. */
  public RateLimitValve() {
    super(true);
  }

  /**
   * Takes an attribute, as Tomcat sets those that have no setter.
   *
   * @return true: what it may be is known when this is started
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
              Objects.requireNonNull(RateLimitValve.class.getClassLoader())));
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
    if (rule.handling().onDenial() instanceof Degrade degrade && degrade.path().isPresent()) {
      throw new IllegalStateException(
          "rule '%s': on-denial: degrade to %s (expected: degrade, without a path: a valve stands in front of authentication)"
              .formatted(rule.name(), degrade.path().get()));
    }
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (request.isAsync()) { // dispatched, or answered by Tomcat since it timed out
      getNext().invoke(request, response);
      return;
    }
    try {
      Objects.requireNonNull(filter, "the valve is not started")
          .doFilter(
              request.getRequest(),
              response.getResponse(),
              (passing, answer) -> pass(request, passing, response, answer));
    } catch (AnsweredByTomcat failed) {
      // the filter knows, and Tomcat answers
    }
  }

  private void pass(
      Request request, ServletRequest passing, Response response, ServletResponse answer)
      throws IOException, ServletException {
    request.setRequest((HttpServletRequest) passing);
    response.setResponse((HttpServletResponse) answer);
    getNext().invoke(request, response);
    if (hasFailed(request, response)) {
      throw new AnsweredByTomcat();
    }
  }

  /** Frameworks leave the exception there too where they have handled it. */
  private static boolean hasFailed(Request request, Response response) {
    return request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null
        && response.isError()
        && response.getStatus() >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
  }

  /** What the application threw, Tomcat has caught behind this valve, and no filter sees it. */
  private static final class AnsweredByTomcat extends ServletException {
    private static final long serialVersionUID = 1L;
  }

  /** Answers nothing more, and leaves nothing behind. */
  @Override
  protected void stopInternal() throws LifecycleException {
    super.stopInternal();
    filter = null;
    if (weir != null) {
      weir.close();
      weir = null;
    }
  }
}

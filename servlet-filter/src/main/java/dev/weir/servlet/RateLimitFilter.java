package dev.weir.servlet;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.OnDenial.Delay;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.http.spi.Outcome.Diverted;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.servlet.DelayedRequest.Room;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A filter that limits the requests that pass it. Thread-safe, asynchronous requests included.
 *
 * <p>In {@code web.xml}, its init-params configure it, or a file if it has none. {@link Weir} says
 * where that file is searched for. The filter starts with its application and closes everything
 * when that stops. Registered in code with a {@link Weir}, it uses that and leaves it running.
 *
 * <pre>{@code
 * <filter>
 *   <filter-name>weir</filter-name>
 *   <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
 *   <async-supported>true</async-supported>
 *   <init-param><param-name>limit</param-name><param-value>5 per minute</param-value></init-param>
 * </filter>
 * <filter-mapping><filter-name>weir</filter-name><url-pattern>/*</url-pattern></filter-mapping>
 * }</pre>
 *
 * <pre>{@code
 * Weir weir = Weir.open(Path.of("weir.yaml")); // close it when the application ends
 * FilterRegistration.Dynamic limits = context.addFilter("weir", new RateLimitFilter(weir));
 * limits.setAsyncSupported(true);
 * limits.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
 * }</pre>
 *
 * <p>Rules are decided when a client's request arrives. They are decided again when it is forwarded
 * or dispatched asynchronously to another path, if the filter is mapped to these dispatches. Each
 * rule charges a request once. Includes and error pages belong to an answer that was decided
 * before, so they pass.
 *
 * <p>A request that a rule delays waits without a thread if that skips no other filter. Otherwise
 * it waits on its thread. {@link dev.weir.config.Weir.Delays} gives the details.
 *
 * <p>Register it behind a filter that adds CORS fields, so that scripts may read the answer. If a
 * rule counts users, register it behind the filter that logs them in. Set {@code async-supported}.
 */
public final class RateLimitFilter implements Filter {

  private static final Logger LOG = System.getLogger("dev.weir.servlet");

  /** Filters that code created with a Weir; their registrations do not show that. */
  private static final Set<RateLimitFilter> WITH_GIVEN_WEIR =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Optional<Weir> given;
  private @Nullable Weir own;
  private @Nullable Function<RequestView, RequestLimiter> limiters;
  private @Nullable Room room;

  /** Present until the first request, which looks for filters that answer handshakes. */
  private volatile @Nullable FilterConfig unchecked;

  /** Creates a filter that its init-params or a file configure when it is initialised. */
  public RateLimitFilter() {
    this.given = Optional.empty();
  }

  /**
   * Creates a filter that limits by the rules of this Weir.
   *
   * @param weir closed by its owner, after the last request
   */
  public RateLimitFilter(Weir weir) {
    this.given = Optional.of(weir);
    this.limiters = weir.limiters();
    WITH_GIVEN_WEIR.add(this);
  }

  /**
   * Starts limiting, whether Redis is up or down.
   *
   * @throws ServletException when there is anything wrong with the configuration; the message holds
   *     every problem, one a line
   */
  @Override
  public void init(FilterConfig config) throws ServletException {
    if (given.isPresent()) {
      prepare(given.get(), config);
      return;
    }
    try {
      Weir weir = Weir.open(source(config));
      own = weir;
      limiters = weir.limiters();
      prepare(weir, config);
    } catch (ConfigurationException e) {
      throw new ServletException(e.getMessage(), e);
    }
  }

  private void prepare(Weir weir, FilterConfig config) {
    weir.deployedAt(config.getServletContext().getContextPath());
    Room found = Room.of(weir.delays(), config);
    room = found;
    if (weir.rules().stream().anyMatch(rule -> rule.onDenial() instanceof Delay)) {
      found.warning().ifPresent(it -> LOG.log(Level.WARNING, config.getFilterName() + ": " + it));
    }
    if (found.others().isEmpty()) {
      weir.rules().forEach(rule -> warnOfAttributes(rule, config));
    }
    checkHandshakes(config);
  }

  /** Warns that there is no other filter, which could set the attributes that are counted. */
  private static void warnOfAttributes(Rule rule, FilterConfig config) {
    for (String attribute : rule.subject().attributes()) {
      LOG.log(
          Level.WARNING,
          config.getFilterName()
              + ": rule '"
              + rule.name()
              + "' counts by attribute:"
              + attribute
              + ", but the application has no other filter that could set it. Unless a listener or"
              + " the container sets it, every request counts as one without it. Map a filter that"
              + " sets it in front of this one");
    }
  }

  /** Warns, now or at the first request, where a filter in front of this answers handshakes. */
  private void checkHandshakes(FilterConfig config) {
    Optional<String> answering = Handshakes.filterInFront(config.getServletContext());
    answering
        .filter(filter -> !Handshakes.isBehind(filter, config))
        .ifPresent(
            filter ->
                LOG.log(
                    Level.WARNING,
                    config.getFilterName()
                        + ": handshakes for WebSocket are not limited, because Jetty answers them"
                        + " in front of this filter. In web.xml, declare a filter with the name and"
                        + " the class "
                        + filter
                        + ", asynchronous as this one, and map it to /* behind this one's"
                        + " mapping"));
    unchecked = answering.isPresent() ? null : config;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    DispatcherType dispatch = request.getDispatcherType();
    boolean isHttp =
        request instanceof HttpServletRequest && response instanceof HttpServletResponse;
    if (!isHttp || dispatch == DispatcherType.INCLUDE) {
      chain.doFilter(request, response);
    } else if (dispatch == DispatcherType.ERROR) {
      EndingRequest.End.dispatchedAgain(request, response, chain);
    } else if (dispatch == DispatcherType.ASYNC) {
      EndingRequest.End.dispatchedAgain(request, response, (same, its) -> limit(same, its, chain));
    } else {
      limit(request, response, chain);
    }
  }

  /** Answers requests in progress, closes what {@link #init} opened, and nothing else. */
  @Override
  public void destroy() {
    Weir weir = own;
    own = null;
    if (weir != null) {
      weir.close();
    }
  }

  /** Decides about a dispatch that may lead to another path on a client's behalf. */
  private void limit(ServletRequest any, ServletResponse its, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) any;
    HttpServletResponse response = (HttpServletResponse) its;
    FilterConfig config = unchecked;
    if (config != null) {
      checkHandshakes(config);
      unchecked = null;
    }
    Outcome outcome = outcome(new ServletRequestView(request, room));
    if (outcome instanceof Delayed delayed) {
      if (DelayedRequest.begin(request, response, delayed, RateLimitFilter::setFields)) {
        return;
      }
      outcome =
          DelayedRequest.left(delayed).orElseGet(() -> outcome(new ServletRequestView(request)));
    }
    render(outcome, request, response, chain);
  }

  private Outcome outcome(RequestView view) {
    return Objects.requireNonNull(limiters, "a filter is initialised first")
        .apply(view)
        .limit(view);
  }

  private static void setFields(Outcome outcome, HttpServletResponse response) {
    for (Field field : outcome.fields()) {
      response.setHeader(field.name(), field.value());
    }
    if (response.containsHeader(Outcome.ALLOWS_ORIGIN)) {
      // added to what others expose; a second dispatch adds nothing new
      outcome
          .exposure()
          .filter(field -> !response.getHeaders(field.name()).contains(field.value()))
          .ifPresent(field -> response.addHeader(field.name(), field.value()));
    }
  }

  private static void render(
      Outcome outcome, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    setFields(outcome, response);
    if (outcome instanceof Rejected rejected) {
      Rejection.send(rejected, request, response);
      return;
    }
    FilterChain rest =
        outcome instanceof Diverted diverted ? towards(diverted.path(), chain) : chain;
    if (outcome.completion().isPresent()) {
      EndingRequest.pass(request, response, outcome.completion().get(), rest);
    } else {
      rest.doFilter(request, response);
    }
  }

  /**
   * Returns a chain to another path of the application, unless this response is already committed.
   */
  private static FilterChain towards(String path, FilterChain chain) {
    return (request, response) -> {
      RequestDispatcher target = request.getRequestDispatcher(path);
      if (target == null || response.isCommitted()) {
        chain.doFilter(request, response);
      } else {
        target.forward(request, response);
      }
    };
  }

  /** Returns whether a filter with these init-params opens a configuration, as far as is known. */
  static boolean opensOne(Map<String, String> params) {
    return !params.isEmpty() || WITH_GIVEN_WEIR.isEmpty();
  }

  private static WeirSource source(FilterConfig config) {
    Map<String, String> params = new HashMap<>();
    for (String name : Collections.list(config.getInitParameterNames())) {
      params.put(name, Objects.requireNonNullElse(config.getInitParameter(name), ""));
    }
    return source(config.getFilterName(), params, config.getServletContext());
  }

  /** Returns the source from which a filter with this name and these init-params is configured. */
  static WeirSource source(String name, Map<String, String> params, ServletContext application) {
    return new WeirSource(
            name, params, application::getResourceAsStream, WeirSource.applicationClassLoader())
        .inApplication(application.getContextPath());
  }
}

package dev.weir.servlet;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.Delayed;
import dev.weir.http.Field;
import dev.weir.http.OnDenial.Delay;
import dev.weir.http.Outcome;
import dev.weir.http.Outcome.Diverted;
import dev.weir.http.Outcome.Rejected;
import dev.weir.http.RequestLimiter;
import dev.weir.http.RequestView;
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
 * Limits the requests that pass it. Thread-safe, asynchronous requests included.
 *
 * <p>Registered in {@code web.xml}, it is configured by its init-params, or by a file where it has
 * none: {@link Weir} says where that is looked for. It starts with its application and leaves
 * nothing behind when that stops. Registered in code with a {@link Weir}, it uses that and leaves
 * it running.
 *
 * <p>Rules are decided when a client's request arrives, and again where it is forwarded or
 * dispatched asynchronously to another path, if the filter is mapped to these dispatches; each rule
 * charges a request once. Includes and error pages are part of an answer that was decided before,
 * and pass.
 *
 * <p>A request that a rule delays waits without a thread where that leaves out no other filter, and
 * on its thread otherwise: {@link dev.weir.config.Delays} says when.
 *
 * <p>Register it behind a filter that adds CORS fields, so that scripts may read the answer; behind
 * one that logs users in, if a rule counts them; and with {@code async-supported}.
 */
public final class RateLimitFilter implements Filter {

  private static final Logger LOG = System.getLogger("dev.weir.servlet");

  /** Those with a Weir that code gave them, which their registrations do not tell. */
  private static final Set<RateLimitFilter> WITH_GIVEN_WEIR =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Optional<Weir> given;
  private @Nullable Weir own;
  private @Nullable Function<RequestView, RequestLimiter> limiters;
  private @Nullable Room room;

  /** Configured by init-params or a file, when it is initialised. */
  public RateLimitFilter() {
    this.given = Optional.empty();
  }

  /**
   * Limits by the rules of this Weir.
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
    Room found = Room.of(weir.delays(), config);
    room = found;
    if (weir.rules().stream().anyMatch(rule -> rule.handling().onDenial() instanceof Delay)) {
      found.warning().ifPresent(it -> LOG.log(Level.WARNING, config.getFilterName() + ": " + it));
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest httpRequest
        && response instanceof HttpServletResponse httpResponse
        && isDecided(request.getDispatcherType())) {
      limit(httpRequest, httpResponse, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  /** Answers what is under way, closes what {@link #init} opened, and nothing else. */
  @Override
  public void destroy() {
    Weir weir = own;
    own = null;
    if (weir != null) {
      weir.close();
    }
  }

  /** Whether a dispatch may lead to another path on a client's behalf. */
  private static boolean isDecided(DispatcherType dispatch) {
    return dispatch != DispatcherType.INCLUDE && dispatch != DispatcherType.ERROR;
  }

  private void limit(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Room here = room;
    boolean canWaitAside = here != null && here.isFor(request);
    Outcome outcome = outcome(new ServletRequestView(request, canWaitAside));
    if (outcome instanceof Delayed delayed) {
      if (DelayedRequest.begin(request, response, delayed, RateLimitFilter::setFields)) {
        return;
      }
      outcome = outcome(new ServletRequestView(request));
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
      outcome.exposure().ifPresent(field -> expose(field, response));
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

  /** Into another path of the application, unless this response is under way already. */
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

  /** Beside what others expose; a second dispatch says the same again. */
  private static void expose(Field field, HttpServletResponse response) {
    if (!response.getHeaders(field.name()).contains(field.value())) {
      response.addHeader(field.name(), field.value());
    }
  }

  /** Whether a filter with these init-params opens a configuration, as far as can be known. */
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

  /** Where a filter of this name and with these init-params looks for its configuration. */
  static WeirSource source(String name, Map<String, String> params, ServletContext application) {
    return new WeirSource(
        name, params, application::getResourceAsStream, WeirSource.applicationClassLoader());
  }
}

package dev.weir.jaxrs;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.http.Field;
import dev.weir.http.Outcome;
import dev.weir.http.Outcome.Body;
import dev.weir.http.Outcome.Body.Text;
import dev.weir.http.Outcome.Rejected;
import dev.weir.http.RequestLimiter;
import dev.weir.http.Rule;
import dev.weir.jaxrs.JaxrsRequestView.Server;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.ResponseBuilder;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides the file's rules before a request is matched, so that floods of what does not exist are
 * limited too; those that count users, after authentication, unless the server has authenticated
 * the request by itself. Says on every response what was decided.
 */
@PreMatching
@Priority(RateLimitProvider.BEFORE_AUTHENTICATION)
final class RateLimitProvider implements ContainerRequestFilter, ContainerResponseFilter {

  private static final Logger LOGGER = System.getLogger(RateLimitProvider.class.getName());

  static final int BEFORE_AUTHENTICATION = Priorities.AUTHENTICATION - 100;
  static final int AFTER_AUTHENTICATION = Priorities.AUTHORIZATION - 100;

  private static final String OUTCOME = RateLimitProvider.class.getName() + ".outcome";
  private static final String ALLOWS_ORIGIN = "Access-Control-Allow-Origin";

  private final Weir weir;
  private final Server server;
  private final AtomicBoolean isReported = new AtomicBoolean();
  private volatile boolean hasServed;

  RateLimitProvider(Weir weir, Server server) {
    this.weir = weir;
    this.server = server;
  }

  /** This, and what decides the rules that had to wait for the user. */
  void register(FeatureContext context) {
    context.register(this);
    context.register(new AfterAuthentication(this), AFTER_AUTHENTICATION);
  }

  /**
   * @throws IllegalStateException when a rule of the file counts by address and nothing tells it
   */
  void requireAddress() {
    if (!server.knowsPeer()) {
      weir.rules().forEach(this::requireAddressFor);
    }
  }

  /**
   * @throws IllegalStateException when this rule counts by address and nothing tells it
   */
  void requireAddressFor(Rule rule) {
    if (!server.knowsPeer() && rule.subject().needsAddress()) {
      throw new IllegalStateException(
          "rule '"
              + rule.name()
              + "': subject "
              + rule.subject()
              + " counts by the client's address, at least where the rest is missing (expected: a"
              + " servlet container, or RateLimitFeature.clientAddress to tell the address)");
    }
  }

  /** Whether a request has come, so that the application has started. */
  boolean hasServed() {
    return hasServed;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!hasServed) {
      hasServed = true;
    }
    render(limiter().limitBeforeAuthentication(unmatched(request)), request);
  }

  /** Decides what had to wait for the user. */
  void limitAfterAuthentication(ContainerRequestContext request) {
    render(limiter().limitAfterAuthentication(unmatched(request)), request);
  }

  /** Decides the rules that the matched method is annotated with. */
  void limit(ContainerRequestContext request, List<Rule> rules, String template) {
    JaxrsRequestView view = new JaxrsRequestView(request, server, Optional.of(template));
    render(limiter().limit(view, rules), request);
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (!(request.getProperty(OUTCOME) instanceof Outcome outcome)) {
      return;
    }
    MultivaluedMap<String, Object> headers = response.getHeaders();
    for (Field field : outcome.fields()) {
      headers.putSingle(field.name(), field.value());
    }
    if (headers.containsKey(ALLOWS_ORIGIN) || !server.answered(ALLOWS_ORIGIN).isEmpty()) {
      outcome.exposure().ifPresent(field -> expose(field, headers));
    }
  }

  /**
   * Beside what others expose. JAX-RS may replace what servlet filters have put on the response, so
   * that is said again.
   */
  private void expose(Field field, MultivaluedMap<String, Object> headers) {
    Set<Object> lines = new LinkedHashSet<>(server.answered(field.name()));
    lines.add(field.value());
    List<Object> known = headers.getOrDefault(field.name(), List.of());
    lines.removeAll(known);
    lines.forEach(line -> headers.add(field.name(), line));
  }

  /** Whose template is that of the rule's pattern, before and after authentication. */
  private JaxrsRequestView unmatched(ContainerRequestContext request) {
    return new JaxrsRequestView(request, server, Optional.empty());
  }

  /** There is none before the application's filter has started, and after it was stopped. */
  private RequestLimiter limiter() {
    try {
      return weir.limiter();
    } catch (ConfigurationException | IllegalStateException e) {
      if (!isReported.getAndSet(true)) {
        LOGGER.log(Level.ERROR, "requests are refused with 503: {0}", e.getMessage());
      }
      throw new ServiceUnavailableException(
          Response.status(Response.Status.SERVICE_UNAVAILABLE).build(), e);
    }
  }

  private static void render(Outcome outcome, ContainerRequestContext request) {
    if (!outcome.fields().isEmpty()) {
      request.setProperty(OUTCOME, outcome);
    }
    if (outcome instanceof Rejected rejected) {
      request.abortWith(response(rejected.status(), rejected.body()));
    }
  }

  private static Response response(int status, Body body) {
    ResponseBuilder response = Response.status(status);
    if (body instanceof Text text) {
      response.type(text.contentType()).entity(text.text().getBytes(StandardCharsets.UTF_8));
    }
    return response.build();
  }

  /** Decides the file's rules that count users, once it is known who that is. */
  private record AfterAuthentication(RateLimitProvider provider) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.limitAfterAuthentication(request);
    }
  }
}

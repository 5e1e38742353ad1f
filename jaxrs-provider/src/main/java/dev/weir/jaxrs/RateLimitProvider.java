package dev.weir.jaxrs;

import dev.weir.config.BoundRules;
import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.http.Completion;
import dev.weir.http.Field;
import dev.weir.http.Outcome;
import dev.weir.http.Outcome.Body;
import dev.weir.http.Outcome.Body.Text;
import dev.weir.http.Outcome.Rejected;
import dev.weir.http.RequestLimiter;
import dev.weir.http.RequestView;
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
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides the file's rules before a request is matched, so that floods of what does not exist are
 * limited too, and again when another filter has made it a request for something else; those that
 * count users, after authentication, unless the server has authenticated the request by itself.
 * Says on every response what was decided.
 */
@PreMatching
@Priority(RateLimitProvider.BEFORE_AUTHENTICATION)
final class RateLimitProvider implements ContainerRequestFilter, ContainerResponseFilter {

  private static final Logger LOGGER = System.getLogger(RateLimitProvider.class.getName());

  static final int BEFORE_AUTHENTICATION = Priorities.AUTHENTICATION - 100;
  static final int AFTER_AUTHENTICATION = Priorities.AUTHORIZATION - 100;

  /** How long a client is told to wait where nothing is known. */
  private static final int SOON_SECONDS = 1;

  private static final int AFTER_OTHERS = Integer.MAX_VALUE;

  private static final String SEEN = RateLimitProvider.class.getName() + ".seen";
  private static final String OUTCOME = RateLimitProvider.class.getName() + ".outcome";
  private static final String COMPLETION = RateLimitProvider.class.getName() + ".completion";
  private static final String STATUS = RateLimitProvider.class.getName() + ".status";

  private final Configured configured;
  private final Server server;
  private final AtomicBoolean isReported = new AtomicBoolean();
  private volatile boolean hasServed;

  /** Whether no rule counts by address, nor one that is reloaded, where nothing tells it. */
  private volatile boolean needsNoAddress;

  /** Whether an annotation was bound. */
  private volatile boolean hasRules;

  RateLimitProvider(Configured configured, Server server) {
    this.configured = configured;
    this.server = server;
  }

  /** This, what looks again behind other filters, and what decides when the user is known. */
  void register(FeatureContext context) {
    context.register(this);
    context.register(new Rewritten(this));
    context.register(new Ending(), BEFORE_AUTHENTICATION);
    context.register(new Weighed());
    context.register(new Matched(this), BEFORE_AUTHENTICATION);
    context.register(new AfterAuthentication(this), AFTER_AUTHENTICATION);
  }

  /**
   * @throws IllegalStateException when a rule of the file counts by address and nothing tells it
   */
  void requireAddress() {
    if (!needsNoAddress && !server.knowsPeer()) {
      configured.weir().require(this::requireAddressFor);
      needsNoAddress = true;
    }
  }

  private void requireAddressFor(Rule rule) {
    if (!server.knowsPeer()) {
      rule.reasonForAddress().ifPresent(reason -> missAddress(rule, reason));
    }
  }

  private static void missAddress(Rule rule, String reason) {
    throw new IllegalStateException(
        "rule '"
            + rule.name()
            + "': "
            + reason
            + " (expected: a servlet container, or RateLimitFeature.clientAddress to tell the"
            + " address)");
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
    look(request, Target.of(request));
  }

  /** Decides the rules of what the request has become, if it is another one than was seen. */
  private void lookAgain(ContainerRequestContext request) {
    Target target = Target.of(request);
    if (!target.equals(request.getProperty(SEEN))) {
      look(request, target);
    }
  }

  private void look(ContainerRequestContext request, Target target) {
    request.setProperty(SEEN, target);
    JaxrsRequestView view = unmatched(request);
    render(limiter(view).limitBeforeAuthentication(view), request);
  }

  /** Decides what had to wait for the user. */
  private void limitAfterAuthentication(ContainerRequestContext request) {
    JaxrsRequestView view = unmatched(request);
    render(limiter(view).limitAfterAuthentication(view), request);
  }

  private void limit(ContainerRequestContext request, Bound bound) {
    JaxrsRequestView view = new JaxrsRequestView(request, server, Optional.of(bound.template()));
    render(limiter(view).limit(view, bound.rules(view)), request);
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.hasEntity()) {
      request.setProperty(STATUS, response.getStatus());
    } else if (request.getProperty(COMPLETION) instanceof Completion completion) {
      completion.completed(response.getStatus());
    }
    if (!(request.getProperty(OUTCOME) instanceof Outcome outcome)) {
      return;
    }
    MultivaluedMap<String, Object> headers = response.getHeaders();
    for (Field field : outcome.fields()) {
      headers.putSingle(field.name(), field.value());
    }
    if (headers.containsKey(Outcome.ALLOWS_ORIGIN)
        || !server.answered(Outcome.ALLOWS_ORIGIN).isEmpty()) {
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
  private RequestLimiter limiter(RequestView request) {
    try {
      if (!hasRules) {
        configured.requireFound();
      }
      requireAddress(); // some servers show only now that they know none
      return configured.weir().limiters().apply(request);
    } catch (ConfigurationException | IllegalStateException e) {
      if (!isReported.getAndSet(true)) {
        LOGGER.log(Level.ERROR, "requests are refused with 503: {0}", e.getMessage());
      }
      throw new ServiceUnavailableException(
          Response.status(Response.Status.SERVICE_UNAVAILABLE)
              .header("Retry-After", SOON_SECONDS)
              .header("Cache-Control", "no-store")
              .build(),
          e);
    }
  }

  private static void render(Outcome outcome, ContainerRequestContext request) {
    if (!outcome.fields().isEmpty()) {
      request.setProperty(OUTCOME, outcome);
    }
    if (outcome instanceof Rejected rejected) {
      request.abortWith(response(rejected.status(), rejected.body()));
    }
    outcome.completion().ifPresent(it -> end(it, request));
  }

  private static void end(Completion completion, ContainerRequestContext request) {
    if (request.getProperty(COMPLETION) instanceof Completion earlier) {
      completion.include(earlier);
    }
    request.setProperty(COMPLETION, completion);
  }

  private static Response response(int status, Body body) {
    ResponseBuilder response = Response.status(status);
    if (body instanceof Text text) {
      response.type(text.contentType()).entity(text.text().getBytes(StandardCharsets.UTF_8));
    }
    return response.build();
  }

  /** Lets nobody through to a method whose annotation cannot be obeyed. */
  static void refuse(FeatureContext context) {
    ContainerRequestFilter refusal =
        request -> request.abortWith(Response.status(Response.Status.SERVICE_UNAVAILABLE).build());
    context.register(refusal, BEFORE_AUTHENTICATION);
  }

  /** What filters before matching may change of that which rules match. */
  private record Target(String method, URI base, String uri) {

    static Target of(ContainerRequestContext request) {
      UriInfo uri = request.getUriInfo();
      return new Target(request.getMethod(), uri.getBaseUri(), uri(uri));
    }

    /** CXF makes no URI of a query with a broken escape. */
    private static String uri(UriInfo uri) {
      try {
        return uri.getRequestUri().toString();
      } catch (IllegalArgumentException brokenEscape) {
        return uri.getPath(false);
      }
    }
  }

  /** Looks again behind the filters that rewrite requests, such as Jersey's of suffixes. */
  @PreMatching
  @Priority(AFTER_OTHERS)
  private record Rewritten(RateLimitProvider provider) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.lookAgain(request);
    }
  }

  /** Looks once more when nobody can rewrite any longer: others may want to be the last as well. */
  private record Matched(RateLimitProvider provider) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.lookAgain(request);
    }
  }

  /**
   * Tells the end of a request whose entity is written. Not the provider itself: RESTEasy calls no
   * writer interceptor of a class that filters before matching.
   */
  private record Ending() implements WriterInterceptor {

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
      try {
        context.proceed();
      } finally {
        if (context.getProperty(COMPLETION) instanceof Completion completion
            && context.getProperty(STATUS) instanceof Integer status) {
          completion.completed(status);
        }
      }
    }
  }

  /**
   * Counts what is written of an entity, in front of what compresses it: of that, some comes only
   * when the stream is closed, after the end was told.
   */
  @Priority(Priorities.ENTITY_CODER + 100)
  private record Weighed() implements WriterInterceptor {

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
      if (context.getProperty(COMPLETION) instanceof Completion completion) {
        completion
            .body()
            .ifPresent(bytes -> context.setOutputStream(bytes.counting(context.getOutputStream())));
      }
      context.proceed();
    }
  }

  /** Decides the file's rules that count users, once it is known who that is. */
  private record AfterAuthentication(RateLimitProvider provider) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.limitAfterAuthentication(request);
    }
  }

  /**
   * What an application has to limit requests by.
   *
   * @param missing says that no configuration was found, where only annotations can have limits
   */
  record Configured(Weir weir, Optional<ConfigurationException> missing) {

    static Configured with(Weir weir) {
      return new Configured(weir, Optional.empty());
    }

    /**
     * @throws ConfigurationException when no configuration was found
     */
    void requireFound() {
      if (missing.isPresent()) {
        throw missing.get();
      }
    }
  }

  /** Decides the rules that one resource method is annotated with. */
  record Bound(RateLimitProvider provider, List<BoundRules> bound, String template)
      implements ContainerRequestFilter {

    /** After authentication while it is not known yet whether a rule counts users. */
    void register(FeatureContext context) {
      provider.hasRules = true;
      boolean waitQueues = known().map(Bound::countsUsers).orElse(true);
      context.register(this, waitQueues ? AFTER_AUTHENTICATION : BEFORE_AUTHENTICATION);
    }

    /**
     * @throws IllegalStateException when a rule counts by address and nothing tells it
     */
    void requireAddress() {
      known().ifPresent(rules -> rules.forEach(provider::requireAddressFor));
    }

    @Override
    public void filter(ContainerRequestContext request) {
      provider.limit(request, this);
    }

    private Optional<List<Rule>> known() {
      try {
        return Optional.of(rules());
      } catch (ConfigurationException stillToBeOpenedByTheFilter) {
        return Optional.empty();
      }
    }

    /** None that is disabled. */
    private List<Rule> rules() {
      return bound.stream().flatMap(rules -> rules.get().stream()).toList();
    }

    private List<Rule> rules(RequestView request) {
      return bound.stream().flatMap(rules -> rules.of(request).stream()).toList();
    }

    private static boolean countsUsers(List<Rule> rules) {
      return rules.stream().anyMatch(Rule::needsUser);
    }
  }
}

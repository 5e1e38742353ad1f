package dev.weir.jaxrs;

import dev.weir.config.ConfigurationException;
import dev.weir.config.RuleReference;
import dev.weir.config.Weir;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body.Forward;
import dev.weir.http.spi.Outcome.Body.Text;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.http.spi.RequestLimiter;
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
import org.jspecify.annotations.Nullable;

/**
 * A filter that decides the file's rules before a request is matched, so that floods of requests
 * for missing resources are limited too. It decides again when another filter has changed the
 * request's target. Rules that count users are decided after authentication, unless the server
 * itself has authenticated the request. Every response carries the fields of the decision.
 */
@PreMatching
@Priority(RateLimitProvider.BEFORE_AUTHENTICATION)
final class RateLimitProvider implements ContainerRequestFilter, ContainerResponseFilter {

  private static final Logger LOGGER = System.getLogger(RateLimitProvider.class.getName());

  static final int BEFORE_AUTHENTICATION = Priorities.AUTHENTICATION - 100;
  static final int AFTER_AUTHENTICATION = Priorities.AUTHORIZATION - 100;

  /** The {@code Retry-After} of a client when the real wait is unknown. */
  private static final int SOON_SECONDS = 1;

  private static final int AFTER_OTHERS = Integer.MAX_VALUE;

  private static final String SEEN = RateLimitProvider.class.getName() + ".seen";
  private static final String OUTCOME = RateLimitProvider.class.getName() + ".outcome";
  private static final String COMPLETION = RateLimitProvider.class.getName() + ".completion";
  private static final String ENDED = RateLimitProvider.class.getName() + ".ended";

  private static final String PEERS_EXPECTED =
      " (expected: a servlet container, or RateLimitFeature.clientAddress to return the address)";

  private final Configured configured;
  private final Server server;
  private final AtomicBoolean isReported = new AtomicBoolean();
  private final AtomicBoolean isForwardReported = new AtomicBoolean();
  private volatile boolean hasServed;

  /** Whether no rule counts by address, now or after a reload, while no address is available. */
  private volatile boolean needsNoAddress;

  /** Whether an annotation was bound. */
  private volatile boolean hasRules;

  RateLimitProvider(Configured configured, Server server) {
    this.configured = configured;
    this.server = server;
  }

  /** Registers this filter, those that check again behind other filters, and the one for users. */
  void register(FeatureContext context) {
    context.register(this);
    context.register(new Rewritten(this));
    context.register(new Ending(), BEFORE_AUTHENTICATION);
    context.register(new Weighed());
    context.register(new Matched(this), BEFORE_AUTHENTICATION);
    context.register(new AfterAuthentication(this), AFTER_AUTHENTICATION);
  }

  /**
   * @throws IllegalStateException when a rule of the file counts by address, or the peers of Unix
   *     sockets are trusted, and no address is available
   */
  void requireAddress() {
    if (!needsNoAddress && !server.knowsPeer()) {
      if (configured.weir().clientAddress().trustsUnixSockets()) {
        throw new IllegalStateException("trusted-proxies: unix" + PEERS_EXPECTED);
      }
      configured.weir().require(this::requireAddressFor);
      needsNoAddress = true;
    }
  }

  private void requireAddressFor(Rule rule) {
    if (!server.knowsPeer()) {
      rule.reasonForAddress()
          .ifPresent(
              reason -> {
                throw new IllegalStateException(
                    "rule '" + rule.name() + "': " + reason + PEERS_EXPECTED);
              });
    }
  }

  /** Returns whether a request has arrived, which means that the application has started. */
  boolean hasServed() {
    return hasServed;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (!hasServed) {
      hasServed = true;
    }
    check(request, Target.of(request));
  }

  /** Decides the rules of the request again if its target has changed since the last check. */
  private void checkAgain(ContainerRequestContext request) {
    Target target = Target.of(request);
    if (!target.equals(request.getProperty(SEEN))) {
      check(request, target);
    }
  }

  private void check(ContainerRequestContext request, Target target) {
    request.setProperty(SEEN, target);
    JaxrsRequestView view = unmatched(request);
    render(limiter(view).limitBeforeAuthentication(view), request);
  }

  /** Decides the rules that need the user. */
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
    if (request.getProperty(COMPLETION) instanceof Completion completion) {
      Ended ended = new Ended(response.getStatus(), response, unmatched(request));
      if (response.hasEntity()) {
        request.setProperty(ENDED, ended);
      } else {
        completion.completed(ended);
      }
    }
    if (!(request.getProperty(OUTCOME) instanceof Outcome outcome)) {
      return;
    }
    MultivaluedMap<String, Object> headers = response.getHeaders();
    for (Field field : outcome.fields()) {
      headers.putSingle(field.name(), field.value());
    }
    if (outcome instanceof Rejected rejected) {
      rejected.added().forEach(field -> add(field, headers));
    }
    if (headers.containsKey(Outcome.ALLOWS_ORIGIN)
        || !server.responseField(Outcome.ALLOWS_ORIGIN).isEmpty()) {
      outcome.exposure().ifPresent(field -> add(field, headers));
    }
  }

  /**
   * Adds to the lines of others. JAX-RS may replace the lines that servlet filters have set on the
   * response, so this sets those again.
   */
  private void add(Field field, MultivaluedMap<String, Object> headers) {
    Set<Object> lines = new LinkedHashSet<>(server.responseField(field.name()));
    lines.add(field.value());
    List<Object> known = headers.getOrDefault(field.name(), List.of());
    lines.removeAll(known);
    lines.forEach(line -> headers.add(field.name(), line));
  }

  /**
   * Returns a view that takes its template from the rule's pattern, before and after
   * authentication.
   */
  private JaxrsRequestView unmatched(ContainerRequestContext request) {
    return new JaxrsRequestView(request, server, Optional.empty());
  }

  /**
   * Returns the limiter. Before the application's filter starts and after it stops there is none.
   */
  private RequestLimiter limiter(RequestView request) {
    try {
      if (!hasRules) {
        configured.requireFound();
      }
      requireAddress(); // some servers show only now that they know no address
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

  private void render(Outcome outcome, ContainerRequestContext request) {
    if (!outcome.fields().isEmpty()) {
      request.setProperty(OUTCOME, outcome);
    }
    if (outcome instanceof Rejected rejected) {
      request.abortWith(response(rejected, request.getMethod()));
    }
    if (outcome.completion().isPresent()) {
      Completion completion = outcome.completion().get();
      if (request.getProperty(COMPLETION) instanceof Completion earlier) {
        completion.include(earlier);
      }
      request.setProperty(COMPLETION, completion);
      server.reportEndTo(completion);
    }
  }

  /** Carries the fields already, for the application's response filters: they run before ours. */
  private Response response(Rejected rejected, String method) {
    ResponseBuilder response = Response.status(rejected.status());
    rejected.fields().forEach(field -> response.header(field.name(), field.value()));
    rejected.added().forEach(field -> response.header(field.name(), field.value()));
    if (rejected.body() instanceof Forward forward && !isForwardReported.getAndSet(true)) {
      LOGGER.log(
          Level.WARNING,
          "denied: forward {0} (expected: html, or json: JAX-RS cannot forward). Its clients"
              + " receive JSON",
          forward.path());
    }
    Optional<Text> text = rejected.body().text(server.info(), method);
    text.ifPresent(
        it -> response.type(it.contentType()).entity(it.text().getBytes(StandardCharsets.UTF_8)));
    return response.build();
  }

  /** Answers 503 to every request for a method with an unusable annotation. */
  static void refuse(FeatureContext context) {
    ContainerRequestFilter refusal =
        request -> request.abortWith(Response.status(Response.Status.SERVICE_UNAVAILABLE).build());
    context.register(refusal, BEFORE_AUTHENTICATION);
  }

  /** A response that has ended, or that has an entity which is still to be written. */
  private record Ended(int status, ContainerResponseContext response, JaxrsRequestView request)
      implements Completion.Response {

    @Override
    public List<String> redirects() {
      String location = status >= 300 && status < 400 ? response.getHeaderString("Location") : null;
      return location == null ? List.of() : request.redirect(location);
    }

    @Override
    public @Nullable Object attribute(String name) {
      return request.attribute(name);
    }
  }

  /** The parts of a request that rules match and that filters before matching may change. */
  private record Target(String method, URI base, String uri) {

    static Target of(ContainerRequestContext request) {
      UriInfo uri = request.getUriInfo();
      return new Target(request.getMethod(), uri.getBaseUri(), uri(uri));
    }

    /** Returns the path where CXF creates no URI, because the query has a broken escape. */
    private static String uri(UriInfo uri) {
      try {
        return uri.getRequestUri().toString();
      } catch (IllegalArgumentException brokenEscape) {
        return uri.getPath(false);
      }
    }
  }

  /**
   * A filter that checks again behind those that rewrite requests, such as Jersey's for suffixes.
   */
  @PreMatching
  @Priority(AFTER_OTHERS)
  private record Rewritten(RateLimitProvider provider) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.checkAgain(request);
    }
  }

  /** A filter that checks once more after all rewriting: other filters may also run last. */
  private record Matched(RateLimitProvider provider) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.checkAgain(request);
    }
  }

  /**
   * An interceptor that reports the end of a request after its entity is written. It is separate
   * from the provider: RESTEasy calls no writer interceptor of a class that filters before
   * matching.
   */
  private record Ending() implements WriterInterceptor {

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
      try {
        context.proceed();
      } finally {
        if (context.getProperty(COMPLETION) instanceof Completion completion
            && context.getProperty(ENDED) instanceof Ended ended) {
          completion.completed(ended);
        }
      }
    }
  }

  /**
   * An interceptor that counts the bytes of an entity before compression. A compressing stream
   * writes some bytes only when it is closed, after the end was reported.
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

  /** A filter that decides the file's rules that count users, once the user is known. */
  private record AfterAuthentication(RateLimitProvider provider) implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.limitAfterAuthentication(request);
    }
  }

  /**
   * The limits that an application has for its requests.
   *
   * @param missing present when no configuration was found; then only annotations can have limits
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

  /**
   * A filter that decides the annotated rules of one resource method. Each is equal to itself only:
   * two methods with the same annotation have two, and a container may register equal ones once.
   */
  record Bound(RateLimitProvider provider, List<RuleReference> bound, String template)
      implements ContainerRequestFilter {

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    /** Registers it after authentication while it is unknown whether a rule counts users. */
    void register(FeatureContext context) {
      provider.hasRules = true;
      boolean waits = known().map(rules -> rules.stream().anyMatch(Rule::needsUser)).orElse(true);
      context.register(this, waits ? AFTER_AUTHENTICATION : BEFORE_AUTHENTICATION);
    }

    /**
     * @throws IllegalStateException when a rule counts by address and no address is available
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

    /** Returns the rules that are not disabled. */
    private List<Rule> rules() {
      Weir weir = provider.configured.weir();
      return bound.stream().flatMap(reference -> weir.rules(reference).stream()).toList();
    }

    private List<Rule> rules(RequestView request) {
      Weir weir = provider.configured.weir();
      return bound.stream().flatMap(reference -> weir.rules(reference, request).stream()).toList();
    }
  }
}

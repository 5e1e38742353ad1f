package dev.weir.jaxrs;

import dev.weir.http.RawCookies;
import dev.weir.http.RawPath;
import dev.weir.http.RequestView;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.UriInfo;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What rules may know of a JAX-RS request, before or after it was matched. */
final class JaxrsRequestView implements RequestView {

  /** {@code URI.getHost} knows no name with an underscore. */
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");

  /** What JAX-RS does not tell of a request, but the server below it may. */
  interface Server {

    /** A server that applications know nothing of. */
    Server TELLS_NOTHING = new Server() {};

    /** Whether it tells where requests come from. */
    default boolean knowsPeer() {
      return false;
    }

    /** The address of the peer. */
    default Optional<String> peerAddress(ContainerRequestContext request) {
      return Optional.empty();
    }

    /** The path within the application, as servlets read it where there are any. */
    default Optional<String> path() {
      return Optional.empty();
    }

    /** What comes before the path within the application, as it was sent. */
    default String contextPath() {
      return "";
    }

    /** The lines of this field that servlet filters have put on the response, behind JAX-RS. */
    default List<String> answered(String field) {
      return List.of();
    }
  }

  private final ContainerRequestContext request;
  private final Server server;
  private final Optional<String> template;

  JaxrsRequestView(ContainerRequestContext request, Server server, Optional<String> template) {
    this.request = request;
    this.server = server;
    this.template = template;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String path() {
    return server.path().orElseGet(this::routedPath);
  }

  /**
   * What JAX-RS matches, beside what servlets read. A filter may have given it to JAX-RS alone;
   * Jersey resolves no dots; and it cuts the servlet's own path off by its length, so that {@code
   * /rest;login} is {@code /rest/login} to it.
   */
  @Override
  public List<String> otherPaths() {
    return server.path().isPresent() ? List.of(routedPath()) : List.of();
  }

  @Override
  public Optional<String> host() {
    return Optional.ofNullable(request.getUriInfo().getBaseUri().getRawAuthority())
        .map(authority -> PORT.matcher(authority).replaceFirst(""));
  }

  /** CXF has a line that is null for a content type that was not sent. */
  @Override
  public List<String> headers(String name) {
    List<String> lines = request.getHeaders().get(name);
    return Stream.ofNullable(lines).flatMap(List::stream).flatMap(Stream::ofNullable).toList();
  }

  @Override
  public List<String> queries(String name) {
    try {
      List<String> values = request.getUriInfo().getQueryParameters().get(name);
      return values == null ? List.of() : List.copyOf(values);
    } catch (IllegalArgumentException brokenEscape) {
      return List.of();
    }
  }

  /** JAX-RS gives one of each name. */
  @Override
  public List<String> cookies(String name) {
    return RawCookies.values(given(name), headers("Cookie"), name);
  }

  @Override
  public boolean readsCookieInAnotherWay(String name) {
    return RawCookies.areReadInAnotherWay(given(name), headers("Cookie"), name);
  }

  /** Servers throw for cookies that they cannot read: those are none. */
  private List<String> given(String name) {
    try {
      Map<String, Cookie> cookies = request.getCookies();
      return Optional.ofNullable(cookies.get(name)).map(Cookie::getValue).stream().toList();
    } catch (RuntimeException malformed) {
      return List.of();
    }
  }

  @Override
  public Optional<String> principal() {
    return Optional.ofNullable(request.getSecurityContext())
        .map(security -> security.getUserPrincipal())
        .map(Principal::getName);
  }

  @Override
  public boolean isUserInRole(String role) {
    return request.getSecurityContext() != null && request.getSecurityContext().isUserInRole(role);
  }

  @Override
  public Optional<String> peerAddress() {
    return server.peerAddress(request);
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.getProperty(name);
  }

  @Override
  public void attribute(String name, Object value) {
    request.setProperty(name, value);
  }

  @Override
  public Optional<String> matchedTemplate() {
    return template;
  }

  private String routedPath() {
    UriInfo uri = request.getUriInfo();
    String base = uri.getBaseUri().getRawPath();
    String context = server.contextPath();
    String inApplication = base.startsWith(context) ? base.substring(context.length()) : base;
    return RawPath.decoded(inApplication + uri.getPath(false));
  }
}

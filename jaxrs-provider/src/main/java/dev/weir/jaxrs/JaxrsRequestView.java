package dev.weir.jaxrs;

import dev.weir.http.RequestView;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.RawRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A JAX-RS request as rules see it, before or after it was matched. */
final class JaxrsRequestView implements RequestView {

  /** The names of what adapters keep on a request themselves. */
  private static final String OWN = "dev.weir.";

  /** {@code URI.getHost} returns null for a name with an underscore. */
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");

  /** Facts about a request that the server below may provide and JAX-RS does not. */
  interface Server {

    /** A server that provides applications with nothing. */
    Server UNKNOWN = new Server() {};

    /** Returns whether the server provides the address that a request comes from. */
    default boolean knowsPeer() {
      return false;
    }

    /** Returns the address of the peer. */
    default Optional<String> peerAddress(ContainerRequestContext request) {
      return Optional.empty();
    }

    /** Returns the path within the application, as servlets read it; empty without servlets. */
    default Optional<String> path() {
      return Optional.empty();
    }

    /** Returns the host and the port that servlets read; empty without servlets. */
    default Optional<String> authority() {
      return Optional.empty();
    }

    /** Returns whether a body must be declared by a field; false where it is unknown. */
    default boolean declaresBody() {
      return false;
    }

    /** Returns the name of the servlet container and its version; empty without servlets. */
    default String info() {
      return "";
    }

    /** Returns what precedes the path within the application, as it was sent. */
    default String contextPath() {
      return "";
    }

    /**
     * Returns this field's lines that servlet filters have set on the response, outside of JAX-RS.
     */
    default List<String> responseField(String field) {
      return List.of();
    }

    /** Returns what was set in an attribute of the request outside of JAX-RS. */
    default @Nullable Object attribute(String name) {
      return null;
    }

    /** Sets an attribute of the request outside of JAX-RS, for access logs of the container. */
    default void attribute(String name, Object value) {}

    /** Returns what the client's session has under this name; null without a session. */
    default @Nullable Object sessionAttribute(String name) {
      return null;
    }

    /** Lets the server report the end of the request too, if it can: JAX-RS reports not all. */
    default void reportEndTo(Completion completion) {}
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
   * Returns the path that JAX-RS matches, in addition to the one that servlets read. They can
   * differ for several reasons. A filter may have set it for JAX-RS alone. Jersey resolves no dots.
   * Jersey also cuts off the servlet's own path by its length, so that it reads {@code /rest;login}
   * as {@code /rest/login}.
   */
  @Override
  public List<String> otherPaths() {
    return server.path().isPresent() ? List.of(routedPath()) : List.of();
  }

  @Override
  public Optional<String> host() {
    return authority().map(authority -> PORT.matcher(authority).replaceFirst(""));
  }

  /**
   * Returns what the request names. The base URI comes last: CXF on its own has the address of its
   * endpoint there, whatever the request names.
   */
  private Optional<String> authority() {
    return server
        .authority()
        .or(() -> lines("Host").stream().findFirst())
        .or(() -> Optional.ofNullable(request.getUriInfo().getBaseUri().getRawAuthority()));
  }

  @Override
  public List<String> headers(String name) {
    return name.equalsIgnoreCase("Host") ? hostField() : lines(name);
  }

  private List<String> hostField() {
    String scheme = String.valueOf(request.getUriInfo().getBaseUri().getScheme());
    return authority().map(authority -> RawRequest.hostField(scheme, authority)).stream().toList();
  }

  /** Drops null lines: CXF has one for a content type that was not sent. */
  private List<String> lines(String name) {
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

  @Override
  public boolean declaresBody() {
    return server.declaresBody();
  }

  /** Reads the raw header too: JAX-RS returns only one cookie of each name. */
  @Override
  public List<String> cookies(String name) {
    return RawRequest.cookies(given(name), headers("Cookie"), name);
  }

  @Override
  public boolean readsCookieInAnotherWay(String name) {
    return RawRequest.readsCookieInAnotherWay(given(name), headers("Cookie"), name);
  }

  /** Returns no cookies where the server throws because it cannot read them. */
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
    Object property = request.getProperty(name);
    return property == null && !name.startsWith(OWN) ? server.attribute(name) : property;
  }

  @Override
  public @Nullable Object sessionAttribute(String name) {
    return server.sessionAttribute(name);
  }

  @Override
  public void attribute(String name, Object value) {
    request.setProperty(name, value);
  }

  /** Sets it outside of JAX-RS too: not every implementation keeps its properties there. */
  @Override
  public void logAttribute(String name, Object value) {
    attribute(name, value);
    server.attribute(name, value);
  }

  @Override
  public Optional<String> matchedTemplate() {
    return template;
  }

  /** Returns where this field of the response leads, as rules compare it. */
  List<String> redirect(String location) {
    URI url = request.getUriInfo().getBaseUri(); // to which JAX-RS resolves a relative one
    return RawRequest.redirect(location, url.toString(), server.contextPath());
  }

  /** Joins the parts with one slash: servers differ in which of the two has it, or neither. */
  private String routedPath() {
    UriInfo uri = request.getUriInfo();
    String base = uri.getBaseUri().getRawPath();
    String context = server.contextPath();
    String inApplication = base.startsWith(context) ? base.substring(context.length()) : base;
    String path = uri.getPath(false);
    return RawRequest.path(
        (inApplication.endsWith("/") ? inApplication : inApplication + "/")
            + (path.startsWith("/") ? path.substring(1) : path));
  }
}

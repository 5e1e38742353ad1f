package dev.weir.jaxrs;

import dev.weir.http.RequestView;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.UriInfo;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What rules may know of a JAX-RS request, before or after it was matched. */
final class JaxrsRequestView implements RequestView {

  /** Where Tomcat's RemoteIpValve says that it has replaced the address of the peer. */
  private static final String REWRITTEN_BY_TOMCAT = "org.apache.tomcat.request.forwarded";

  /** {@code URI.getHost} knows no name with an underscore. */
  private static final Pattern PORT = Pattern.compile(":[0-9]*$");

  private static final Pattern MATRIX_PARAMETERS = Pattern.compile(";[^/]*");
  private static final Pattern ENCODED_SLASH = Pattern.compile("%2[Ff]");

  /** What JAX-RS does not tell of a request, but the server below it may. */
  interface Server {

    /** A server that applications know nothing of. */
    Server TELLS_NOTHING =
        new Server() {
          @Override
          public boolean knowsPeer() {
            return false;
          }

          @Override
          public Optional<String> peerAddress(ContainerRequestContext request) {
            return Optional.empty();
          }

          @Override
          public Optional<String> path() {
            return Optional.empty();
          }

          @Override
          public List<String> answered(String field) {
            return List.of();
          }
        };

    /** Whether it tells where requests come from. */
    boolean knowsPeer();

    /** The address of the peer. */
    Optional<String> peerAddress(ContainerRequestContext request);

    /** The path within the application, where servlets tell it. */
    Optional<String> path();

    /** The lines of this field that servlet filters have put on the response, behind JAX-RS. */
    List<String> answered(String field);
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

  /** Without matrix parameters, as servlets give it. */
  @Override
  public String path() {
    return server.path().orElseGet(() -> pathOf(request.getUriInfo()));
  }

  @Override
  public Optional<String> host() {
    return Optional.ofNullable(request.getUriInfo().getRequestUri().getRawAuthority())
        .map(authority -> PORT.matcher(authority).replaceFirst(""));
  }

  @Override
  public List<String> headers(String name) {
    List<String> lines = request.getHeaders().get(name);
    return lines == null ? List.of() : List.copyOf(lines);
  }

  @Override
  public Optional<String> query(String name) {
    try {
      return Optional.ofNullable(request.getUriInfo().getQueryParameters().getFirst(name));
    } catch (IllegalArgumentException brokenEscape) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> cookie(String name) {
    Map<String, Cookie> cookies = request.getCookies();
    return Optional.ofNullable(cookies.get(name)).map(Cookie::getValue);
  }

  @Override
  public Optional<String> principal() {
    return Optional.ofNullable(request.getSecurityContext())
        .map(security -> security.getUserPrincipal())
        .map(Principal::getName);
  }

  @Override
  public Optional<String> peerAddress() {
    return server.peerAddress(request);
  }

  @Override
  public boolean isPeerAddressRewritten() {
    return Boolean.TRUE.equals(request.getProperty(REWRITTEN_BY_TOMCAT));
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

  /**
   * Decoded but for slashes, which to JAX-RS are part of a segment: {@code a%2Fb} is one that
   * {@code {id}} matches. Parameters go first, for they may hold slashes as well.
   */
  private static String pathOf(UriInfo uri) {
    String path = MATRIX_PARAMETERS.matcher(uri.getPath(false)).replaceAll("");
    return Stream.of(ENCODED_SLASH.split(uri.getBaseUri().getRawPath() + path, -1))
        .map(JaxrsRequestView::decoded)
        .collect(Collectors.joining("%2F"));
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}

package dev.weir.jaxrs;

import dev.weir.http.spi.Completion;
import dev.weir.http.spi.RawRequest;
import dev.weir.jaxrs.JaxrsRequestView.Server;
import jakarta.annotation.Priority;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts that servlets provide about a request. The injected fields are proxies for the request
 * of the current thread. This class is a filter that does nothing else: CXF injects only into
 * filters.
 *
 * <p>Thread-safe.
 */
@PreMatching
@Priority(Integer.MIN_VALUE)
final class ServletServer implements ContainerRequestFilter, Server {

  private final Optional<? extends Server> configured;
  @Context private @Nullable HttpServletRequest request;
  @Context private @Nullable HttpServletResponse response;

  /** What is known of the server so far. */
  private enum Known {
    NOTHING_YET,
    NO_SERVLETS,
    SERVLETS
  }

  private volatile Known known = Known.NOTHING_YET;

  /**
   * @param configured provides the address of a peer, where the user has set a function for it
   */
  ServletServer(Optional<? extends Server> configured) {
    this.configured = configured;
  }

  @Override
  public void filter(ContainerRequestContext ignored) {
    if (known != Known.SERVLETS) {
      known = isInServlets() ? Known.SERVLETS : Known.NO_SERVLETS;
    }
  }

  @Override
  public boolean knowsPeer() {
    return known != Known.NO_SERVLETS || configured.isPresent();
  }

  @Override
  public Optional<String> peerAddress(ContainerRequestContext context) {
    return configured.isPresent()
        ? configured.get().peerAddress(context)
        : current()
            .flatMap(
                servlets ->
                    RawRequest.peerAddress(servlets.getRemoteAddr(), servlets::getServletContext));
  }

  /** Returns no path where it is empty: CXF's transport by Undertow provides none. */
  @Override
  public Optional<String> path() {
    return current()
        .map(
            servlets ->
                servlets.getServletPath() + Objects.requireNonNullElse(servlets.getPathInfo(), ""))
        .filter(path -> !path.isEmpty());
  }

  @Override
  public Optional<String> authority() {
    return current()
        .filter(servlets -> servlets.getServerName() != null)
        .map(servlets -> RawRequest.authority(servlets.getServerName(), servlets.getServerPort()));
  }

  @Override
  public boolean declaresBody() {
    return current().filter(it -> RawRequest.declaresBody(it.getProtocol())).isPresent();
  }

  @Override
  public String info() {
    return current().map(servlets -> servlets.getServletContext().getServerInfo()).orElse("");
  }

  @Override
  public String contextPath() {
    return current().map(HttpServletRequest::getContextPath).orElse("");
  }

  @Override
  public List<String> responseField(String field) {
    return current().isPresent()
        ? List.copyOf(Objects.requireNonNull(response, "HttpServletResponse").getHeaders(field))
        : List.of();
  }

  @Override
  public @Nullable Object attribute(String name) {
    return current().map(servlets -> servlets.getAttribute(name)).orElse(null);
  }

  @Override
  public void attribute(String name, Object value) {
    current().ifPresent(servlets -> servlets.setAttribute(name, value));
  }

  @Override
  public @Nullable Object sessionAttribute(String name) {
    try {
      return current()
          .map(servlets -> servlets.getSession(false))
          .map(session -> session.getAttribute(name))
          .orElse(null);
    } catch (IllegalStateException invalidated) {
      return null;
    }
  }

  @Override
  public void reportEndTo(Completion completion) {
    current().ifPresent(servlets -> ServletApplications.reportEndOf(servlets, completion));
  }

  private Optional<HttpServletRequest> current() {
    return known != Known.NO_SERVLETS && isInServlets()
        ? Optional.ofNullable(request)
        : Optional.empty();
  }

  /**
   * Returns whether this thread's request is a servlet request. A servlet application may call its
   * resources within the process. RESTEasy injects a request on every server, so only its use shows
   * whether it is a real one.
   */
  private boolean isInServlets() {
    try {
      return request != null && request.getMethod() != null;
    } catch (RuntimeException notInServlets) {
      return false;
    }
  }
}

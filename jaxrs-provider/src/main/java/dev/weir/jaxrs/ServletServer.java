package dev.weir.jaxrs;

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
 * What servlets tell of a request. What is injected here stands for the request of the current
 * thread. It is a filter, which does nothing, since CXF injects into filters only.
 *
 * <p>Thread-safe.
 */
@PreMatching
@Priority(Integer.MIN_VALUE)
final class ServletServer implements ContainerRequestFilter, Server {

  private final Optional<? extends Server> told;
  @Context private @Nullable HttpServletRequest request;
  @Context private @Nullable HttpServletResponse response;

  /** Whether requests are servlets'; unknown, so true, before the first one has come. */
  private volatile boolean hasServlets = true;

  /**
   * @param told who tells the address of a peer, where a user's function does
   */
  ServletServer(Optional<? extends Server> told) {
    this.told = told;
  }

  /** RESTEasy injects a request whatever it runs on: only using it tells whether there is one. */
  @Override
  public void filter(ContainerRequestContext ignored) {
    if (!hasServlets) {
      return;
    }
    try {
      current().getMethod();
    } catch (RuntimeException notInServlets) {
      hasServlets = false;
    }
  }

  @Override
  public boolean knowsPeer() {
    return hasServlets || told.isPresent();
  }

  @Override
  public Optional<String> peerAddress(ContainerRequestContext context) {
    if (told.isPresent()) {
      return told.get().peerAddress(context);
    }
    return hasServlets ? Optional.ofNullable(current().getRemoteAddr()) : Optional.empty();
  }

  @Override
  public Optional<String> path() {
    if (!hasServlets) {
      return Optional.empty();
    }
    HttpServletRequest servlets = current();
    String rest = servlets.getPathInfo();
    return Optional.of(servlets.getServletPath() + (rest == null ? "" : rest));
  }

  @Override
  public String contextPath() {
    return hasServlets ? current().getContextPath() : "";
  }

  @Override
  public List<String> answered(String field) {
    return hasServlets
        ? List.copyOf(Objects.requireNonNull(response, "HttpServletResponse").getHeaders(field))
        : List.of();
  }

  private HttpServletRequest current() {
    return Objects.requireNonNull(request, "HttpServletRequest");
  }
}

package dev.weir.demo;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.List;
import java.util.Optional;

/**
 * A CORS filter that lets the page of one node call its sister nodes. It runs before the rate
 * limit. So scripts can read denials too, and preflights, which carry no key, are not charged.
 */
public final class SisterFilter extends HttpFilter {

  @Serial private static final long serialVersionUID = 1L;

  private static final String PREFLIGHT_METHOD = "Access-Control-Request-Method";

  private transient List<String> ports = List.of();

  @Override
  public void init() {
    ports = Ports.of(getServletContext()).stream().map(String::valueOf).toList();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<String> sister = Optional.ofNullable(request.getHeader("Origin"));
    sister = sister.filter(origin -> isSister(origin, request.getServerName()));
    if (sister.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    response.addHeader("Vary", "Origin");
    response.setHeader("Access-Control-Allow-Origin", sister.get());
    if (!isPreflight(request)) {
      chain.doFilter(request, response);
      return;
    }
    response.setHeader("Access-Control-Allow-Methods", "GET, POST");
    response.setHeader("Access-Control-Allow-Headers", "X-API-Key");
    response.setHeader("Access-Control-Max-Age", "600");
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  /** Returns whether the origin has the request's host, by the name it used, and a node's port. */
  private boolean isSister(String origin, String host) {
    return ports.stream().anyMatch(port -> origin.equals("http://" + host + ":" + port));
  }

  private static boolean isPreflight(HttpServletRequest request) {
    return request.getMethod().equals("OPTIONS") && request.getHeader(PREFLIGHT_METHOD) != null;
  }
}

package dev.weir.demo;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A filter that sets a browser policy: the page consists of our own files and connects only to
 * nodes.
 */
public final class PageSecurityFilter extends HttpFilter {

  @Serial private static final long serialVersionUID = 1L;

  private static final Set<String> PAGES = Set.of("", "/", "/index.html");

  private String policy = "";

  @Override
  public void init() {
    String sisters =
        Ports.of(getServletContext()).stream()
            .map(port -> " http://*:" + port)
            .collect(Collectors.joining());
    policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'"
            + sisters;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (PAGES.contains(request.getServletPath())) {
      response.setHeader("Content-Security-Policy", policy);
      response.setHeader("Referrer-Policy", "no-referrer");
    }
    chain.doFilter(request, response);
  }
}

package dev.weir.bench.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * A typical hand-written filter around a limiter: it takes the key from a header and answers 429 or
 * continues.
 */
final class KeyFilter extends HttpFilter {

  private static final long serialVersionUID = 1L;
  private static final int TOO_MANY_REQUESTS = 429;

  private final transient Predicate<String> limiter;

  KeyFilter(Predicate<String> limiter) {
    this.limiter = limiter;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (limiter.test(request.getHeader("X-API-Key"))) {
      chain.doFilter(request, response);
    } else {
      response.sendError(TOO_MANY_REQUESTS);
    }
  }
}

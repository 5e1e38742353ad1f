package dev.weir.bench.http;

import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.Numbers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * A typical hand-written filter around a limiter: it takes the key from a header, sets the two
 * response fields that Weir sets too, and answers 429 or continues.
 */
abstract class KeyFilter extends HttpFilter {

  /** No bucket is ever full again, and none is ever empty. */
  static final Numbers NUMBERS = new Numbers(1, Duration.ofSeconds(1), 1_000_000);

  private static final long serialVersionUID = 1L;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final String POLICY =
      "\"api\";q=" + NUMBERS.burst() + ";w=" + NUMBERS.burst() / NUMBERS.permits();

  /** Acquires a permit for this key. */
  abstract Answer answer(String key);

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Answer answer = answer(request.getHeader("X-API-Key"));
    response.setHeader("RateLimit-Policy", POLICY);
    response.setHeader(
        "RateLimit", "\"api\";r=" + answer.remaining() + ";t=" + answer.resetSeconds());
    if (answer.allowed()) {
      chain.doFilter(request, response);
    } else {
      response.sendError(TOO_MANY_REQUESTS);
    }
  }
}

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
import java.util.Map;

/**
 * A typical hand-written filter around a limiter: it takes the key from a header, sets the two
 * response fields that Weir sets too, and answers 429 or continues. Its init-params are the numbers
 * of the limit.
 */
abstract class KeyFilter extends HttpFilter {

  private static final long serialVersionUID = 1L;
  private static final int TOO_MANY_REQUESTS = 429;

  @SuppressWarnings("NullAway.Init") // by init
  private transient Numbers numbers;

  @SuppressWarnings("NullAway.Init") // by init
  private transient String policy;

  /** Returns the init-params that name these numbers. */
  static Map<String, String> parameters(Numbers numbers) {
    return Map.of(
        "permits", String.valueOf(numbers.permits()),
        "seconds", String.valueOf(numbers.period().toSeconds()),
        "burst", String.valueOf(numbers.burst()));
  }

  @Override
  public void init() throws ServletException {
    long seconds = number("seconds");
    numbers = new Numbers(number("permits"), Duration.ofSeconds(seconds), number("burst"));
    long timeToFull = numbers.burst() * seconds / numbers.permits();
    policy = "\"api\";q=" + numbers.burst() + ";w=" + timeToFull;
  }

  private long number(String parameter) {
    return Long.parseLong(getInitParameter(parameter));
  }

  final Numbers numbers() {
    return numbers;
  }

  /** Acquires a permit for this key. */
  abstract Answer answer(String key);

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Answer answer = answer(request.getHeader("X-API-Key"));
    response.setHeader("RateLimit-Policy", policy);
    response.setHeader(
        "RateLimit", "\"api\";r=" + answer.remaining() + ";t=" + answer.resetSeconds());
    if (answer.allowed()) {
      chain.doFilter(request, response);
    } else {
      response.sendError(TOO_MANY_REQUESTS);
    }
  }
}

package dev.weir.containers;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets requests of {@link #FIRST}, and of {@link #SECOND}, pass when all of them are there. */
public final class MeetingFilter implements Filter {

  /** How many meet. */
  static final int ALL = 10_000;

  static final String FIRST = "/shop/first.txt";
  static final String SECOND = "/shop/second.txt";

  private static final int LONGEST_SECONDS = 60;

  private final Map<String, CountDownLatch> missing =
      Map.of(FIRST, new CountDownLatch(ALL), SECOND, new CountDownLatch(ALL));

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    CountDownLatch others = missing.get(((HttpServletRequest) request).getRequestURI());
    if (others != null) {
      others.countDown();
      await(others);
    }
    chain.doFilter(request, response);
  }

  private static void await(CountDownLatch others) throws ServletException {
    try {
      if (!others.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        throw new ServletException(others.getCount() + " requests did not come");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServletException(e);
    }
  }
}

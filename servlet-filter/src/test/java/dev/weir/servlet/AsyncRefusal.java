package dev.weir.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A filter in front that refuses that a request leaves its thread, and counts how often. */
final class AsyncRefusal implements Filter {

  private final AtomicInteger refused = new AtomicInteger();
  private final Runnable before;

  /**
   * @param before runs before each refusal
   */
  AsyncRefusal(Runnable before) {
    this.before = before;
  }

  int refused() {
    return refused.get();
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(refusing(request), response);
  }

  private ServletRequest refusing(ServletRequest request) {
    return new HttpServletRequestWrapper((HttpServletRequest) request) {
      @Override
      public AsyncContext startAsync() {
        before.run();
        refused.incrementAndGet();
        throw new IllegalStateException("not here");
      }
    };
  }
}

package dev.weir.servlet;

import dev.weir.http.RuleListener;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** What requests come to that may have waited: it says in which order they came, and how. */
public final class WaitingServlet extends HttpServlet {

  /** Path and query of what came, in order. */
  static final List<String> CAME = new CopyOnWriteArrayList<>();

  /** How often the store has decided. */
  static final AtomicInteger DECIDED = new AtomicInteger();

  /** One for each of them. */
  static final Semaphore DECISIONS = new Semaphore(0);

  /** Lets those go on that came to {@code /held}. */
  static final Semaphore END = new Semaphore(0);

  private static final AtomicInteger INSIDE = new AtomicInteger();
  private static final AtomicInteger MOST_INSIDE = new AtomicInteger();

  @Serial private static final long serialVersionUID = 1L;

  static void reset() {
    CAME.clear();
    DECIDED.set(0);
    DECISIONS.drainPermits();
    END.drainPermits();
    MOST_INSIDE.set(0);
  }

  static int mostInside() {
    return MOST_INSIDE.get();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    if (request.getServletPath().equals("/error-page")) {
      response.getWriter().print("our own page");
      return;
    }
    CAME.add(request.getServletPath() + "?" + request.getQueryString());
    MOST_INSIDE.accumulateAndGet(INSIDE.incrementAndGet(), Math::max);
    response.setHeader("X-Dispatch", request.getDispatcherType().name());
    switch (request.getServletPath()) {
      case "/held" -> END.acquireUninterruptibly();
      case "/async" -> {
        AsyncContext async = request.startAsync();
        response.setHeader("X-Timeout", Long.toString(async.getTimeout()));
        async.start(
            () -> {
              INSIDE.decrementAndGet();
              async.complete();
            });
        return;
      }
      case "/broken" -> {
        INSIDE.decrementAndGet();
        throw new ServletException("planted");
      }
      default -> response.getWriter().print("served");
    }
    INSIDE.decrementAndGet();
  }

  /** Counts what the store decides. */
  public static final class Counting implements RuleListener {

    @Override
    public void onDecision(AcquireRequest acquire, Decision decision, Duration took) {
      DECIDED.incrementAndGet();
      DECISIONS.release();
    }
  }

  /** Writes the body when the chain has returned, unless the request goes on asynchronously. */
  public static final class Buffering implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      Buffered buffered = new Buffered((HttpServletResponse) response);
      chain.doFilter(request, buffered);
      if (!request.isAsyncStarted()) {
        buffered.writer.flush();
        response.getOutputStream().write(buffered.body.toByteArray());
      }
    }
  }

  private static final class Buffered extends HttpServletResponseWrapper {

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final PrintWriter writer = new PrintWriter(body, true, StandardCharsets.UTF_8);

    Buffered(HttpServletResponse response) {
      super(response);
    }

    @Override
    public PrintWriter getWriter() {
      return writer;
    }

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new IllegalStateException("it is never used");
        }

        @Override
        public void write(int b) {
          body.write(b);
        }
      };
    }
  }

  /** Answers a request that names no user with 403. */
  public static final class Guard implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      if (((HttpServletRequest) request).getHeader("X-User") == null) {
        ((HttpServletResponse) response).setStatus(403);
      } else {
        chain.doFilter(request, response);
      }
    }
  }
}

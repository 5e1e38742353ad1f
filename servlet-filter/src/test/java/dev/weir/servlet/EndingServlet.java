package dev.weir.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Ends a request in every way that an application may, or leaves it open; the way is the path. */
public final class EndingServlet extends HttpServlet {

  /** How many requests have come. */
  static final AtomicInteger ARRIVED = new AtomicInteger();

  /** How many hold their threads now, and how many did at once. */
  static final AtomicInteger HOLDING = new AtomicInteger();

  static final AtomicInteger MOST_HOLDING = new AtomicInteger();

  /** Lets those go on that hold their threads. */
  static final Semaphore LEAVE = new Semaphore(0);

  private static final long EVENT_NANOS = 20_000_000;

  @Serial private static final long serialVersionUID = 1L;

  static void reset() {
    ARRIVED.set(0);
    MOST_HOLDING.set(0);
    LEAVE.drainPermits();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    ARRIVED.incrementAndGet();
    switch (request.getServletPath()) {
      case "/hold" -> hold();
      case "/stream" -> stream(open(request), response);
      case "/events" -> write(open(request));
      case "/poll" -> open(request);
      case "/poll-dispatched" -> open(request).addListener(new DispatchingTo("/done"));
      case "/poll-held" -> open(request).addListener(new DispatchingTo("/hold"));
      case "/complete" -> complete(request.startAsync());
      case "/dispatch" -> request.startAsync().dispatch("/done");
      case "/dispatch-fails" -> request.startAsync().dispatch("/fails");
      case "/dispatch-open" -> request.startAsync().dispatch("/stream");
      case "/times-out" -> request.startAsync().setTimeout(50);
      case "/error" -> response.sendError(HttpServletResponse.SC_FORBIDDEN);
      case "/fails" -> throw new ServletException("planted");
      case "/fails-late" -> {
        write(response);
        throw new ServletException("planted");
      }
      case "/async-fails" -> {
        open(request);
        throw new ServletException("planted");
      }
      case "/async-fails-late" -> {
        stream(open(request), response);
        throw new ServletException("planted");
      }
      default -> response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
  }

  private static void hold() {
    MOST_HOLDING.accumulateAndGet(HOLDING.incrementAndGet(), Math::max);
    LEAVE.acquireUninterruptibly();
    HOLDING.decrementAndGet();
  }

  /** Leaves a request open for ever, as long polls and event streams are. */
  private static AsyncContext open(HttpServletRequest request) {
    AsyncContext async = request.startAsync();
    async.setTimeout(0);
    return async;
  }

  private static void stream(AsyncContext async, HttpServletResponse response) throws IOException {
    write(async.getResponse() == null ? response : (HttpServletResponse) async.getResponse());
  }

  private static void write(HttpServletResponse response) throws IOException {
    response.getOutputStream().print("begun");
    response.flushBuffer();
  }

  /** Writes events until the client has gone. */
  private static void write(AsyncContext async) {
    async.start(
        () -> {
          try {
            while (true) {
              write((HttpServletResponse) async.getResponse());
              LockSupport.parkNanos(EVENT_NANOS);
            }
          } catch (IOException | IllegalStateException gone) {
            complete(async);
          }
        });
  }

  private static void complete(AsyncContext async) {
    async.start(async::complete);
  }

  /** Dispatches a request that has failed, as frameworks do to render the error. */
  private record DispatchingTo(String path) implements AsyncListener {

    @Override
    public void onError(AsyncEvent event) {
      event.getAsyncContext().dispatch(path);
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}

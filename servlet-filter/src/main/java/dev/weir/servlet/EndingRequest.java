package dev.weir.servlet;

import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Completion.BodyBytes;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that reports how its response ended. That is when the chain returns, or when its
 * asynchronous work has ended, with all its dispatches, timeouts and errors.
 *
 * <p>It is a wrapper because it must see the application's call to {@code startAsync}. By the time
 * the chain returns, another thread may have dispatched the request again. The request then looks
 * like one that is over.
 */
final class EndingRequest extends HttpServletRequestWrapper {

  /** Whether the application may let Tomcat send a file. */
  private static final String SENDFILE_SUPPORT = "org.apache.tomcat.sendfile.support";

  private final HttpServletResponse response;
  private final Completion completion;
  private final End end;

  private EndingRequest(
      HttpServletRequest request, HttpServletResponse response, Completion completion) {
    super(request);
    this.response =
        completion
            .body()
            .<HttpServletResponse>map(bytes -> new CountingResponse(response, bytes))
            .orElse(response);
    this.completion = completion;
    this.end = new End(completion, new ServletRequestView.Ended(request, this.response));
  }

  static void pass(
      HttpServletRequest request,
      HttpServletResponse response,
      Completion completion,
      FilterChain chain)
      throws IOException, ServletException {
    EndingRequest ending = new EndingRequest(request, response, completion);
    boolean hasReturned = false;
    ending.end.enter();
    try {
      chain.doFilter(ending, ending.response);
      hasReturned = true;
    } finally {
      ending.leave(hasReturned);
    }
  }

  /**
   * Counts bytes that are written later or by another dispatch too, if bytes are counted at all.
   */
  @Override
  public AsyncContext startAsync() {
    return listening(
        response instanceof CountingResponse
            ? super.startAsync(this, response)
            : super.startAsync());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return listening(super.startAsync(request, response));
  }

  private AsyncContext listening(AsyncContext async) {
    end.listen(getRequest(), async);
    return async;
  }

  /** Offers no Tomcat to send a file past the response, where its bytes are counted. */
  @Override
  public @Nullable Object getAttribute(String name) {
    return response instanceof CountingResponse && name.equals(SENDFILE_SUPPORT)
        ? false
        : super.getAttribute(name);
  }

  private void leave(boolean hasReturned) {
    if (!end.isAsync() && isAsyncStarted()) {
      listening(getAsyncContext()); // started on an unwrapped request, past this wrapper
    }
    if (end.isAsync()) {
      end.leave();
    } else if (hasReturned || response.isCommitted()) {
      completion.completed(hasReturned ? end.response : end.response.incomplete());
    } else {
      completion.failed(); // the code that catches the exception chooses the status
    }
  }

  /**
   * The end of one request: when no thread of the container is in the filter for it, and the
   * container has reported that its asynchronous work is complete, if it has any.
   *
   * <p>For a client that has gone, some containers report an error and nothing after it. Then the
   * request ends soon after the error, unless it is dispatched again. While a thread is in the
   * filter it never ends, whatever is reported: a client could otherwise reset its requests and
   * have more of them running than the limit allows. Thread-safe.
   */
  static final class End implements AsyncListener {

    private static final String ATTRIBUTE = End.class.getName();

    private final Completion completion;
    private final ServletRequestView.Ended response;

    /** What the container has reported last of the asynchronous work. */
    private enum Report {
      RUNNING,
      ERROR,
      COMPLETE
    }

    private int threadsInside;
    private boolean isAsync;
    private Report report = Report.RUNNING;

    /** Another end of the same request, which a second filter reports. */
    private Optional<End> other = Optional.empty();

    End(Completion completion, ServletRequestView.Ended response) {
      this.completion = completion;
      this.response = response;
    }

    /** Runs the rest of a request that was dispatched again, in which its ends are not reached. */
    static void dispatchedAgain(ServletRequest request, ServletResponse response, FilterChain rest)
        throws IOException, ServletException {
      Optional<End> first = of(request);
      for (Optional<End> end = first; end.isPresent(); end = end.get().other) {
        end.get().enter();
      }
      try {
        rest.doFilter(request, response);
      } finally {
        for (Optional<End> end = first; end.isPresent(); end = end.get().other) {
          end.get().leave();
        }
      }
    }

    private static Optional<End> of(ServletRequest request) {
      return request.getAttribute(ATTRIBUTE) instanceof End end
          ? Optional.of(end)
          : Optional.empty();
    }

    /** Listens to asynchronous work of the request, once. */
    void listen(ServletRequest request, AsyncContext async) {
      if (!isAsync()) {
        async.addListener(this);
        follow(request);
      }
    }

    /**
     * Follows asynchronous work that this listens to, or another listener that passes reports on.
     */
    void follow(ServletRequest request) {
      synchronized (this) {
        isAsync = true;
        other = of(request);
      }
      request.setAttribute(ATTRIBUTE, this);
    }

    synchronized boolean isAsync() {
      return isAsync;
    }

    /** A thread of the container enters the filter with the request. */
    synchronized void enter() {
      threadsInside++;
      completion.resumed();
    }

    /** The thread leaves the filter. Passes on what was reported meanwhile. */
    void leave() {
      synchronized (this) {
        threadsInside--;
      }
      passOn();
    }

    /** Called last, if the container calls it. */
    @Override
    public void onComplete(AsyncEvent event) {
      reported(Report.COMPLETE);
    }

    /** The container or the application completes the request after this. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    /** The client has gone, or the application has failed. Jetty may report nothing after this. */
    @Override
    public void onError(AsyncEvent event) {
      reported(Report.ERROR);
    }

    /** Listens again: a dispatch that starts asynchronously again drops the previous listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
      restarted();
    }

    /** Asynchronous work has started again. */
    void restarted() {
      reported(Report.RUNNING);
    }

    private void reported(Report next) {
      synchronized (this) {
        report = next;
      }
      passOn();
    }

    /** Reports to the completion, unless a thread is inside, which will do so when it leaves. */
    private void passOn() {
      synchronized (this) {
        if (threadsInside > 0) {
          return;
        }
        if (report == Report.RUNNING) {
          completion.resumed();
          return;
        }
        if (report == Report.ERROR) {
          completion.cancelled(
              response.isCommitted() ? Optional.of(response.incomplete()) : Optional.empty());
          return;
        }
      }
      completion.completed(response); // without the lock, since it may wait for the store
    }
  }

  /**
   * A response that counts the bytes of its body as the application writes them. Bytes that are
   * discarded before they are sent are not counted: by a reset, or because an error page replaces
   * them. The container writes an error page without this wrapper.
   *
   * <p>It is an inner class because only the request knows whether an included resource runs.
   */
  final class CountingResponse extends HttpServletResponseWrapper {

    /** Found by name because this class is compiled against Servlet 5; empty before Servlet 6.1. */
    private static final Optional<MethodHandle> REDIRECT = redirectOfServlet61();

    private final BodyBytes bytes;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    CountingResponse(HttpServletResponse response, BodyBytes bytes) {
      super(response);
      this.bytes = bytes;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
      ServletOutputStream known = stream;
      if (known == null) {
        known = new CountedStream(super.getOutputStream(), bytes);
        stream = known;
      }
      return known;
    }

    /** Returns a writer over the container's own, which encodes characters as the response says. */
    @Override
    public PrintWriter getWriter() throws IOException {
      PrintWriter known = writer;
      if (known == null) {
        PrintWriter target = super.getWriter();
        known = new CountedWriter(target, Charset.forName(getCharacterEncoding()), bytes);
        writer = known;
      }
      return known;
    }

    @Override
    public void reset() {
      super.reset();
      forget();
      stream = null;
      writer = null;
    }

    @Override
    public void resetBuffer() {
      super.resetBuffer();
      bytes.forget();
    }

    @Override
    public void sendError(int status) throws IOException {
      super.sendError(status);
      forget();
    }

    @Override
    public void sendError(int status, String message) throws IOException {
      super.sendError(status, message);
      forget();
    }

    @Override
    public void sendRedirect(String location) throws IOException {
      super.sendRedirect(location);
      forget();
    }

    /** Overrides a method of Servlet 6.1. */
    public void sendRedirect(String location, int status) throws IOException {
      sendRedirect(location, status, true);
    }

    /** Overrides a method of Servlet 6.1. */
    public void sendRedirect(String location, boolean clearsBuffer) throws IOException {
      sendRedirect(location, SC_FOUND, clearsBuffer);
    }

    /** Overrides a method of Servlet 6.1. Bytes that are not cleared are sent and stay counted. */
    public void sendRedirect(String location, int status, boolean clearsBuffer) throws IOException {
      redirect((HttpServletResponse) getResponse(), location, status, clearsBuffer);
      if (clearsBuffer) {
        forget();
      }
    }

    /** Forgets the bytes, unless an included resource runs: Tomcat then ignores what it asked. */
    private void forget() {
      if (getDispatcherType() != DispatcherType.INCLUDE) {
        bytes.forget();
      }
    }

    private static void redirect(
        HttpServletResponse target, String location, int status, boolean clearsBuffer)
        throws IOException {
      MethodHandle redirect = REDIRECT.orElseThrow(UnsupportedOperationException::new);
      try {
        redirect.invokeExact(target, location, status, clearsBuffer);
      } catch (IOException | RuntimeException | Error failure) {
        throw failure;
      } catch (Throwable impossible) {
        throw new IllegalStateException("sendRedirect declares nothing else", impossible);
      }
    }

    private static Optional<MethodHandle> redirectOfServlet61() {
      MethodType type = MethodType.methodType(void.class, String.class, int.class, boolean.class);
      try {
        return Optional.of(
            MethodHandles.publicLookup()
                .findVirtual(HttpServletResponse.class, "sendRedirect", type));
      } catch (NoSuchMethodException | IllegalAccessException olderApi) {
        return Optional.empty();
      }
    }

    /**
     * A stream that counts written bytes, blocking or not. The print methods end in one of its
     * write methods.
     */
    private static final class CountedStream extends ServletOutputStream {

      private final ServletOutputStream target;
      private final BodyBytes bytes;

      private CountedStream(ServletOutputStream target, BodyBytes bytes) {
        this.target = target;
        this.bytes = bytes;
      }

      @Override
      public void write(int octet) throws IOException {
        target.write(octet);
        bytes.add(1);
      }

      @Override
      public void write(byte[] octets, int offset, int length) throws IOException {
        target.write(octets, offset, length);
        bytes.add(length);
      }

      @Override
      public void flush() throws IOException {
        target.flush();
      }

      @Override
      public void close() throws IOException {
        target.close();
      }

      @Override
      public boolean isReady() {
        return target.isReady();
      }

      @Override
      public void setWriteListener(WriteListener listener) {
        target.setWriteListener(listener);
      }
    }

    /** A writer that encodes its text a second time, into a null stream, to count the bytes. */
    private static final class CountedWriter extends PrintWriter {

      private final Writer tally;

      private CountedWriter(PrintWriter target, Charset charset, BodyBytes bytes) {
        super(target);
        this.tally =
            new OutputStreamWriter(bytes.counting(OutputStream.nullOutputStream()), charset);
      }

      @Override
      public void write(int character) {
        super.write(character);
        count(() -> tally.write(character));
      }

      @Override
      public void write(char[] text, int offset, int length) {
        super.write(text, offset, length);
        count(() -> tally.write(text, offset, length));
      }

      @Override
      public void write(String text, int offset, int length) {
        super.write(text, offset, length);
        count(() -> tally.write(text, offset, length));
      }

      /** Prints as the superclass does, but through the counted methods above. */
      @Override
      public void println() {
        write(System.lineSeparator());
      }

      /** A write that declares {@code IOException}, though its target is a null stream. */
      private interface Tallying {
        void write() throws IOException;
      }

      private void count(Tallying tallying) {
        try {
          tallying.write();
          tally.flush();
        } catch (IOException impossible) {
          throw new UncheckedIOException(impossible);
        }
      }
    }
  }
}

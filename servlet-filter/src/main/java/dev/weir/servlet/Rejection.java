package dev.weir.servlet;

import dev.weir.http.spi.Outcome.Body.Forward;
import dev.weir.http.spi.Outcome.Body.Text;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Rejected;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The writer of the answer to a rejected request. The limiter has chosen its status and fields. */
final class Rejection {

  private static final Logger LOG = System.getLogger("dev.weir.servlet");
  private static final AtomicBoolean IS_MISSING_REPORTED = new AtomicBoolean();

  private Rejection() {}

  /** Sends the answer; its fields are set already. Does nothing if the response is committed. */
  static void send(Rejected rejected, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    if (rejected.body() instanceof Forward forward && !response.isCommitted()) {
      RequestDispatcher page = request.getRequestDispatcher(forward.path());
      if (page != null) {
        add(rejected, response);
        response.setStatus(rejected.status());
        page.forward(new PageRequest(request), new PageResponse(forward, request, response));
        return;
      }
    }
    sendHere(rejected, request, response);
  }

  /** Sends the answer without a page of the application, as where its request has left. */
  static void sendHere(Rejected rejected, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    add(rejected, response);
    Optional<Text> text =
        rejected.body() instanceof Text known
            ? Optional.of(known)
            : rejected.body().text(serverInfo(request), request.getMethod());
    if (text.isPresent()) {
      response.resetBuffer();
      response.setStatus(rejected.status());
      write(text.get(), request, response);
    } else {
      response.sendError(rejected.status());
    }
  }

  private static void add(Rejected rejected, HttpServletResponse response) {
    for (Field field : rejected.added()) {
      if (!response.getHeaders(field.name()).contains(field.value())) {
        response.addHeader(field.name(), field.value());
      }
    }
  }

  /** Returns an empty text for a request of no application, as a valve of Tomcat has them. */
  private static String serverInfo(HttpServletRequest request) {
    try {
      ServletContext application = request.getServletContext();
      return application == null ? "" : application.getServerInfo();
    } catch (RuntimeException ofNoApplication) { // Tomcat fails rather than returning null
      return "";
    }
  }

  private static void write(Text text, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType(text.contentType());
    byte[] body = text.text().getBytes(StandardCharsets.UTF_8);
    Optional<OutputStream> stream = stream(response);
    if (stream.isPresent()) {
      response.setContentLength(body.length);
    }
    if (request.getMethod().equals("HEAD")) {
      return;
    }
    if (stream.isPresent()) {
      stream.get().write(body);
    } else {
      response.getWriter().write(text.text());
    }
  }

  /** Returns the stream; empty when the code that forwarded the request already uses the writer. */
  private static Optional<OutputStream> stream(HttpServletResponse response) throws IOException {
    try {
      return Optional.of(response.getOutputStream());
    } catch (IllegalStateException writerInUse) {
      return Optional.empty();
    }
  }

  /**
   * A denied request as the page sees that answers it. It is a GET, because not every page answers
   * other methods. It has no condition and no range, because the page is not what they are about.
   */
  private static final class PageRequest extends HttpServletRequestWrapper {

    private static final Set<String> CONDITIONS =
        Set.of(
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range",
            "range");

    private PageRequest(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getMethod() {
      return super.getMethod().equals("HEAD") ? "HEAD" : "GET";
    }

    @Override
    public @Nullable String getHeader(String name) {
      return isCondition(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return isCondition(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public long getDateHeader(String name) {
      return isCondition(name) ? -1 : super.getDateHeader(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
      return Collections.enumeration(
          Collections.list(super.getHeaderNames()).stream()
              .filter(name -> !isCondition(name))
              .toList());
    }

    private static boolean isCondition(String name) {
      return CONDITIONS.contains(name.toLowerCase(Locale.ROOT));
    }
  }

  /** A response that keeps its status and its fields, whatever the page does. */
  private static final class PageResponse extends HttpServletResponseWrapper {

    private final Forward forward;
    private final HttpServletRequest request;
    private final HttpServletResponse response;

    private PageResponse(
        Forward forward, HttpServletRequest request, HttpServletResponse response) {
      super(response);
      this.forward = forward;
      this.request = request;
      this.response = response;
    }

    @Override
    public void setStatus(int other) {}

    /** Discards what the page has written, and keeps the fields. */
    @Override
    public void reset() {
      resetBuffer();
    }

    @Override
    public void sendError(int status) throws IOException {
      if (!IS_MISSING_REPORTED.getAndSet(true)) {
        LOG.log(
            Level.WARNING,
            "denied requests are answered without their page, because {0} answers {1}",
            forward.path(),
            status);
      }
      if (!isCommitted()) {
        resetBuffer();
        write(forward.instead(), request, response);
        flushBuffer();
      }
    }

    @Override
    public void sendError(int status, String message) throws IOException {
      sendError(status);
    }
  }
}

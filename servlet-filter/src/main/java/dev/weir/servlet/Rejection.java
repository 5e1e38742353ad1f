package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.http.spi.Outcome.Body.Forward;
import dev.weir.http.spi.Outcome.Body.Text;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.http.spi.RawRequest;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
      add(rejected, response);
      response.setStatus(rejected.status());
      PageResponse answer = new PageResponse(rejected, forward, request, response);
      try {
        RequestDispatcher page = request.getRequestDispatcher(forward.path());
        if (page != null) {
          page.forward(new PageRequest(request), answer);
          return;
        }
      } catch (IOException | ServletException | RuntimeException failure) {
        if (answer.isReplaced) {
          return; // the page went on after its error, and the answer is sent
        }
        if (failure instanceof IOException || response.isCommitted()) {
          throw failure;
        }
        answer.replace("throws " + failure.getClass().getName(), failure);
        return;
      }
    }
    sendHere(rejected, request, response);
  }

  /** Sends the answer with a body of ours, or as an error. No page of the application makes it. */
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
    Optional<OutputStream> stream = stream(response);
    Charset charset = stream.isPresent() ? UTF_8 : Charset.forName(response.getCharacterEncoding());
    byte[] body = text.text().getBytes(charset);
    response.setContentLength(body.length);
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
   * It has no body, because no body is read for a denial: a client may send it as slowly as it
   * likes. It is not asynchronous, because its response must keep its status and its fields.
   */
  private static final class PageRequest extends HttpServletRequestWrapper {

    private static final Set<String> HIDDEN =
        Set.of(
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range",
            "range",
            "content-type",
            "content-length",
            "content-encoding",
            "transfer-encoding",
            "expect");

    private final @Nullable String query;

    private PageRequest(HttpServletRequest request) {
      super(request);
      this.query = request.getQueryString();
    }

    @Override
    public String getMethod() {
      return super.getMethod().equals("HEAD") ? "HEAD" : "GET";
    }

    @Override
    public @Nullable String getHeader(String name) {
      return isHidden(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return isHidden(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public long getDateHeader(String name) {
      return isHidden(name) ? -1 : super.getDateHeader(name);
    }

    @Override
    public int getIntHeader(String name) {
      return isHidden(name) ? -1 : super.getIntHeader(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
      return Collections.enumeration(
          Collections.list(super.getHeaderNames()).stream()
              .filter(name -> !isHidden(name))
              .toList());
    }

    private static boolean isHidden(String name) {
      return HIDDEN.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Returns the parameters of the query. Where the container puts the query of the page's own
     * path below this wrapper, as Tomcat does, they come first.
     */
    @Override
    public Map<String, String[]> getParameterMap() {
      String joined =
          Stream.of(Optional.ofNullable(super.getQueryString()), Optional.ofNullable(query))
              .flatMap(Optional::stream)
              .distinct()
              .collect(Collectors.joining("&"));
      Map<String, String[]> parameters = new LinkedHashMap<>();
      RawRequest.queries(joined)
          .forEach((name, values) -> parameters.put(name, values.toArray(new String[0])));
      return Collections.unmodifiableMap(parameters);
    }

    @Override
    public Enumeration<String> getParameterNames() {
      return Collections.enumeration(getParameterMap().keySet());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
      return getParameterMap().get(name);
    }

    @Override
    public @Nullable String getParameter(String name) {
      String[] values = getParameterValues(name);
      return values == null ? null : values[0];
    }

    @Override
    public @Nullable String getContentType() {
      return null;
    }

    @Override
    public int getContentLength() {
      return -1;
    }

    @Override
    public long getContentLengthLong() {
      return -1;
    }

    @Override
    public ServletInputStream getInputStream() {
      return new NoBody();
    }

    @Override
    public BufferedReader getReader() {
      return new BufferedReader(Reader.nullReader());
    }

    @Override
    public Collection<Part> getParts() {
      return List.of();
    }

    @Override
    public @Nullable Part getPart(String name) {
      return null;
    }

    @Override
    public boolean isAsyncSupported() {
      return false;
    }

    @Override
    public AsyncContext startAsync() {
      throw new IllegalStateException("the page of a denial cannot be asynchronous");
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
      return startAsync();
    }
  }

  /** The stream of a request without a body. */
  private static final class NoBody extends ServletInputStream {

    @Override
    public int read() {
      return -1;
    }

    @Override
    public int read(byte[] octets, int offset, int length) {
      return length == 0 ? 0 : -1;
    }

    @Override
    public boolean isFinished() {
      return true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the page of a denial cannot be asynchronous");
    }
  }

  /** A response that keeps its status and its fields, whatever the page does. */
  static final class PageResponse extends HttpServletResponseWrapper {

    private final Rejected rejected;
    private final Forward forward;
    private final HttpServletRequest request;
    private final HttpServletResponse response;

    /** The fields from before the page, by name. */
    private final Map<String, List<String>> fields = new LinkedHashMap<>();

    private boolean isReplaced;

    private PageResponse(
        Rejected rejected,
        Forward forward,
        HttpServletRequest request,
        HttpServletResponse response) {
      super(response);
      this.rejected = rejected;
      this.forward = forward;
      this.request = request;
      this.response = response;
      for (String name : response.getHeaderNames()) {
        fields.put(name, List.copyOf(response.getHeaders(name)));
      }
    }

    @Override
    public void setStatus(int other) {}

    /** Overrides a method that Servlet 6 has no longer. */
    @Override
    @SuppressWarnings("deprecation")
    public void setStatus(int other, String message) {}

    @Override
    public void setHeader(String name, String value) {
      if (has(rejected.added(), name)) {
        super.addHeader(name, value);
      } else if (!has(rejected.fields(), name)) {
        super.setHeader(name, value);
      }
    }

    @Override
    public void addHeader(String name, String value) {
      if (!has(rejected.fields(), name)) {
        super.addHeader(name, value);
      }
    }

    @Override
    public void setDateHeader(String name, long date) {
      if (!isFixed(name)) {
        super.setDateHeader(name, date);
      }
    }

    @Override
    public void addDateHeader(String name, long date) {
      if (!isFixed(name)) {
        super.addDateHeader(name, date);
      }
    }

    @Override
    public void setIntHeader(String name, int value) {
      if (!isFixed(name)) {
        super.setIntHeader(name, value);
      }
    }

    @Override
    public void addIntHeader(String name, int value) {
      if (!isFixed(name)) {
        super.addIntHeader(name, value);
      }
    }

    private boolean isFixed(String name) {
      return has(rejected.fields(), name) || has(rejected.added(), name);
    }

    private static boolean has(List<Field> fields, String name) {
      return fields.stream().anyMatch(field -> field.name().equalsIgnoreCase(name));
    }

    /** Discards what the page has written and set. Keeps the status and the fields before it. */
    @Override
    public void reset() {
      super.reset();
      response.setStatus(rejected.status());
      fields.forEach(
          (name, values) ->
              values.stream()
                  .filter(value -> !response.getHeaders(name).contains(value))
                  .forEach(value -> response.addHeader(name, value)));
    }

    @Override
    public void sendError(int status) throws IOException {
      replace("answers " + status, null);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
      sendError(status);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
      replace("redirects", null);
    }

    /** Overrides a method of Servlet 6.1. */
    public void sendRedirect(String location, int status) throws IOException {
      sendRedirect(location);
    }

    /** Overrides a method of Servlet 6.1. */
    public void sendRedirect(String location, boolean clearsBuffer) throws IOException {
      sendRedirect(location);
    }

    /** Overrides a method of Servlet 6.1. */
    public void sendRedirect(String location, int status, boolean clearsBuffer) throws IOException {
      sendRedirect(location);
    }

    /** Sends the text in place of the page, and closes the response: the page may go on writing. */
    private void replace(String reason, @Nullable Exception failure) throws IOException {
      if (!IS_MISSING_REPORTED.getAndSet(true)) {
        LOG.log(
            Level.WARNING,
            "denied requests are answered without their page, because %s %s"
                .formatted(forward.path(), reason),
            failure);
      }
      if (isCommitted()) {
        return;
      }
      reset();
      write(forward.instead(), request, response);
      Optional<OutputStream> stream = stream(response);
      if (stream.isPresent()) {
        stream.get().close();
      } else {
        response.getWriter().close();
      }
      isReplaced = true;
    }
  }
}

package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Answers in every way that a servlet may write a body in; the way is the path. */
public final class TrafficServlet extends HttpServlet {

  static final int LARGE = 300_000;

  @Serial private static final long serialVersionUID = 1L;

  private static final String TEXT = "a\u00e4\u20ac\ud83d\ude00";

  /** Containers differ in what they write for a character that the encoding lacks. */
  private static final String LATIN = "a\u00e4\u00ff\u007f";

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    Object included = request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO);
    String way = included == null ? request.getPathInfo() : included.toString();
    switch (way) {
      case "/stream" -> stream(response.getOutputStream());
      case "/sendfile" -> sendFile(request, response);
      case "/utf-8" -> write(response, "UTF-8", TEXT);
      case "/latin" -> write(response, "ISO-8859-1", LATIN);
      case "/utf-16" -> write(response, "UTF-16BE", TEXT);
      case "/large" -> response.getOutputStream().write(new byte[LARGE]);
      case "/reset" -> reset(response);
      case "/reset-buffer" -> resetBuffer(response);
      case "/error" -> fail(response);
      case "/redirect" -> redirect(response);
      case "/forward" -> request.getRequestDispatcher("/op/stream").forward(request, response);
      case "/include" -> request.getRequestDispatcher("/op/stream").include(request, response);
      case "/include-error", "/include-redirect", "/include-reset", "/include-reset-buffer" ->
          request.getRequestDispatcher(way.replace("/include-", "/op/")).include(request, response);
      case "/dispatch" -> request.startAsync().dispatch("/op/stream");
      case "/dispatch-with" -> request.startAsync(request, response).dispatch("/op/stream");
      case "/async" -> async(request.startAsync());
      case "/listener" -> listener(request, response);
      case "/broken" -> {
        response.getOutputStream().write(new byte[LARGE]);
        throw new ServletException("planted");
      }
      default -> response.setStatus(204);
    }
  }

  /** Sends a file as Tomcat's documents advise: by the kernel where it can. */
  private void sendFile(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String file = getServletContext().getRealPath("/file.txt");
    long length = Files.size(Path.of(file));
    response.setContentLengthLong(length);
    if (Boolean.TRUE.equals(request.getAttribute("org.apache.tomcat.sendfile.support"))) {
      request.setAttribute("org.apache.tomcat.sendfile.filename", file);
      request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
      request.setAttribute("org.apache.tomcat.sendfile.end", length);
    } else {
      Files.copy(Path.of(file), response.getOutputStream());
    }
  }

  private static void stream(ServletOutputStream out) throws IOException {
    for (int i = 0; i < 10; i++) {
      out.write('x');
    }
    out.write("0123456789".getBytes(US_ASCII));
    out.write("0123456789".getBytes(US_ASCII), 3, 4);
    out.print("printed");
    out.println(true);
    out.flush();
    out.print(12);
  }

  private static void write(HttpServletResponse response, String charset, String text)
      throws IOException {
    response.setContentType("text/plain;charset=" + charset);
    PrintWriter writer = response.getWriter();
    writer.write(text);
    for (int i = 0; i < text.length(); i++) {
      writer.write(text.charAt(i));
    }
    writer.println(text);
    writer.println();
    writer.printf("%s and %d", text, 7);
    writer.append('c').append(text, 1, 3).print(text.toCharArray());
  }

  private static void reset(HttpServletResponse response) throws IOException {
    response.getWriter().write("before the reset");
    response.reset();
    response.getWriter().write("after the reset");
  }

  private static void resetBuffer(HttpServletResponse response) throws IOException {
    response.getWriter().write("before the reset");
    response.resetBuffer();
    response.getWriter().write("after");
  }

  private static void fail(HttpServletResponse response) throws IOException {
    response.getOutputStream().write(new byte[500]);
    response.sendError(418);
  }

  private static void redirect(HttpServletResponse response) throws IOException {
    response.getOutputStream().write(new byte[500]);
    response.sendRedirect("/elsewhere");
  }

  private static void async(AsyncContext async) {
    async.start(
        () -> {
          try {
            async.getResponse().getOutputStream().write(new byte[5_000]);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          async.complete();
        });
  }

  private static void listener(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    AsyncContext async = request.startAsync();
    ServletOutputStream out = response.getOutputStream();
    out.setWriteListener(new Chunks(async, out));
  }

  /** Writes as much as there is room for, whenever there is. */
  private static final class Chunks implements WriteListener {

    private final AsyncContext async;
    private final ServletOutputStream out;
    private int left = 30;

    private Chunks(AsyncContext async, ServletOutputStream out) {
      this.async = async;
      this.out = out;
    }

    @Override
    public void onWritePossible() throws IOException {
      while (out.isReady()) {
        if (left == 0) {
          async.complete();
          return;
        }
        left--;
        out.write(new byte[10_000]);
      }
    }

    @Override
    public void onError(Throwable failure) {
      async.complete();
    }
  }
}

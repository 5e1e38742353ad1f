package dev.weir.servlet;

import dev.weir.http.spi.Outcome.Body.Text;
import dev.weir.http.spi.Outcome.Rejected;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The writer of the answer to a rejected request. The limiter has chosen its status and fields. */
final class Rejection {

  private Rejection() {}

  /** Sends the answer; its fields are set already. Does nothing if the response is committed. */
  static void send(Rejected rejected, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
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
}

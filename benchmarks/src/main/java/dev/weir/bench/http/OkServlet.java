package dev.weir.bench.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers as little as an application can, so that what limiting costs shows most. */
final class OkServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private static final byte[] OK = {'o', 'k'};

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    response.setContentLength(OK.length);
    response.getOutputStream().write(OK);
  }
}

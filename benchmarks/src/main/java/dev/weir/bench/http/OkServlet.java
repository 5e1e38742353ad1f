package dev.weir.bench.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A servlet that answers with as little work as possible, so that the cost of limiting shows most.
 */
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

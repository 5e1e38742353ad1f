package dev.weir.demo;

import jakarta.json.Json;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;

/** {@code GET /api/hello}: limited by API key, in weir.yaml. */
public final class HelloServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswer.write(
        Json.createObjectBuilder()
            .add("hello", "world")
            .add("node", request.getLocalPort())
            .build(),
        response);
  }
}

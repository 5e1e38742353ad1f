package dev.weir.demo;

import jakarta.json.Json;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;

/**
 * {@code POST /login}: accepts every login, five times a minute; limited by address, in weir.yaml.
 */
public final class LoginServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswer.write(
        Json.createObjectBuilder().add("welcome", true).add("node", request.getLocalPort()).build(),
        response);
  }
}

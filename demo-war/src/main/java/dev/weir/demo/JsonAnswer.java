package dev.weir.demo;

import jakarta.json.JsonObject;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A writer of JSON as the body of a servlet's answer. */
final class JsonAnswer {

  private JsonAnswer() {}

  static void write(JsonObject body, HttpServletResponse response) throws IOException {
    byte[] bytes = (body + "\n").getBytes(StandardCharsets.UTF_8);
    response.setContentType("application/json");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}

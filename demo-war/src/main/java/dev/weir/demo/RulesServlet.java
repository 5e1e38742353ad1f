package dev.weir.demo;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.util.Objects;

/**
 * {@code GET /rules}: the text of the demo's own weir.yaml. A file that replaces it may contain a
 * password, so it is never shown.
 */
public final class RulesServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final String FILE = "/WEB-INF/weir.yaml";

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try (InputStream rules = getServletContext().getResourceAsStream(FILE)) {
      response.setContentType("text/plain;charset=utf-8");
      Objects.requireNonNull(rules, FILE).transferTo(response.getOutputStream());
    }
  }
}

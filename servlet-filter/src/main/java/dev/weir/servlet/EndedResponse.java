package dev.weir.servlet;

import dev.weir.http.spi.Completion.Response;
import dev.weir.http.spi.RawRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response that has ended, while its container still has it. */
record EndedResponse(HttpServletRequest request, HttpServletResponse response) implements Response {

  boolean isCommitted() {
    return response.isCommitted();
  }

  @Override
  public int status() {
    return response.getStatus();
  }

  @Override
  public List<String> redirects() {
    String location =
        status() >= 300 && status() < 400 ? response.getHeader("Location") : null;
    return location == null
        ? List.of()
        : RawRequest.redirect(
            location, request.getRequestURL().toString(), request.getContextPath());
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.getAttribute(name);
  }
}

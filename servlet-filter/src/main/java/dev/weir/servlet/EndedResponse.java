package dev.weir.servlet;

import dev.weir.http.spi.Completion.Response;
import dev.weir.http.spi.RawRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response that has ended, while its container still has it. */
record EndedResponse(HttpServletRequest request, HttpServletResponse response, boolean isComplete)
    implements Response {

  EndedResponse(HttpServletRequest request, HttpServletResponse response) {
    this(request, response, true);
  }

  /** Returns this response as one that the application has not finished. */
  EndedResponse incomplete() {
    return new EndedResponse(request, response, false);
  }

  boolean isCommitted() {
    return response.isCommitted();
  }

  @Override
  public int status() {
    return response.getStatus();
  }

  @Override
  public List<String> redirects() {
    boolean isRedirection = status() >= 300 && status() < 400;
    String location = isRedirection ? response.getHeader("Location") : null;
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

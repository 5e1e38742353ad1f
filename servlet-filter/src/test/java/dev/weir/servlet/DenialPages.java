package dev.weir.servlet;

import dev.weir.http.spi.RequestLimiter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** Pages that are forwarded to for a denial, for GET and HEAD alone. */
public final class DenialPages extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    switch (request.getPathInfo()) {
      case "/wild" -> {
        response.getWriter().print("what is reset");
        response.reset();
        response.setStatus(200);
        response.getWriter().print("wild");
      }
      case "/redirects" -> response.sendRedirect("/login");
      case "/fails" -> throw new ServletException(begun(response));
      case "/throws" -> throw new IllegalStateException(begun(response));
      case "/is-later" -> request.startAsync().complete();
      case "/has-an-error" -> {
        begun(response);
        response.sendError(500, "an error");
        response.getWriter().print("more");
        response.flushBuffer();
      }
      case "/overwrites" -> overwrite(response);
      case "/reads" ->
          response
              .getWriter()
              .print(
                  "%s %s %s %s, %d %s %d %s"
                      .formatted(
                          new TreeSet<>(Collections.list(request.getParameterNames())),
                          List.of(request.getParameterValues("own")),
                          List.of(request.getParameterValues("from")),
                          request.getParameter("secret"),
                          request.getInputStream().read(),
                          request.getReader().readLine(),
                          request.getContentLength(),
                          request.getHeader("Content-Type")));
      default -> printDenial(request, response);
    }
  }

  /** Sets what belongs to the page alone. */
  private static String begun(HttpServletResponse response) throws IOException {
    response.setContentType("text/html; charset=UTF-16");
    response.setHeader("Content-Encoding", "br");
    response.setHeader("ETag", "\"a\"");
    response.setHeader("X-Page", "1");
    response.setContentLength(3);
    response.getWriter().print("a");
    return "a page that fails";
  }

  private static void overwrite(HttpServletResponse response) throws IOException {
    response.setStatus(200);
    response.setHeader("Retry-After", "1");
    response.addHeader("retry-after", "2");
    response.setIntHeader("Retry-After", 3);
    response.addIntHeader("Retry-After", 4);
    response.setDateHeader("Retry-After", 5);
    response.addDateHeader("Retry-After", 6);
    response.setHeader("RateLimit", "none");
    response.setHeader("Cache-Control", "public");
    response.setHeader("X-Denied-By", "nobody");
    response.setHeader("Vary", "Cookie");
    response.setHeader("X-Page", "1");
    response.getWriter().print("overwrites");
  }

  private static void printDenial(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response
        .getWriter()
        .print(
            "%s from %s: %s, %s, %s"
                .formatted(
                    request.getMethod(),
                    request.getParameter("from"),
                    request.getAttribute(RequestLimiter.DENIED_RULE),
                    request.getAttribute(RequestLimiter.DENIED_LIMIT),
                    request.getAttribute(RequestLimiter.DENIED_SECONDS)));
  }
}

package dev.weir.servlet;

import dev.weir.http.spi.RequestLimiter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The application of the HTTP scenarios: answers everything, and dispatches what begins so. */
public final class ScenarioServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final String DISPATCHES = "/do/";
  private static final String AGAIN = ScenarioServlet.class.getName();

  private static final Pattern STATUS = Pattern.compile("/with/([0-9]{3})/");

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    String path = request.getServletPath();
    int passes = request.getAttribute(AGAIN) instanceof Integer before ? before : 0;
    if (!path.startsWith(DISPATCHES) || passes > (path.startsWith("/do/twice/") ? 1 : 0)) {
      answer(path, response);
      tell(request, path, response);
      return;
    }
    request.setAttribute(AGAIN, passes + 1);
    String target = "/at" + path.substring(path.indexOf('/', DISPATCHES.length()));
    switch (path.split("/", -1)[2]) {
      case "forward" -> request.getRequestDispatcher(target).forward(request, response);
      case "include" -> request.getRequestDispatcher(target).include(request, response);
      case "error" -> response.sendError(418);
      case "throw" -> throw new IllegalStateException("of the application");
      case "async" -> dispatchLater(request, target);
      case "again", "twice" -> dispatchLater(request, path);
      case "now" -> request.startAsync().dispatch(target);
      case "complete" -> completeLater(request, path);
      case "redirect" -> response.sendRedirect(request.getContextPath() + target);
      case "redirect-later" -> redirectLater(request, request.getContextPath() + target);
      case "says" -> request.setAttribute("counts", target.endsWith("/yes"));
      case "says-later" -> sayLater(request, target.endsWith("/yes"));
      case "timeout" -> request.startAsync().setTimeout(50);
      default -> answer(path, response);
    }
  }

  private static void tell(HttpServletRequest request, String path, HttpServletResponse response)
      throws IOException {
    Object degradedBy = request.getAttribute(RequestLimiter.DEGRADED);
    if (degradedBy != null) {
      response.getWriter().print(", degraded by " + degradedBy);
    }
    Object deniedBy = request.getAttribute(RequestLimiter.DENIED_RULE);
    if (deniedBy != null) {
      response.getWriter().print(", " + request.getMethod() + ", denied by " + deniedBy);
    }
    if (path.equals("/cheap")) {
      response.getWriter().print(", at " + path);
    }
  }

  private static void dispatchLater(HttpServletRequest request, String target) {
    AsyncContext async = request.startAsync();
    async.start(() -> async.dispatch(target));
  }

  private static void completeLater(HttpServletRequest request, String path) {
    AsyncContext async = request.startAsync();
    async.start(
        () -> {
          try {
            answer(path, (HttpServletResponse) async.getResponse());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          async.complete();
        });
  }

  private static void redirectLater(HttpServletRequest request, String location) {
    AsyncContext async = request.startAsync();
    async.start(
        () -> {
          try {
            ((HttpServletResponse) async.getResponse()).sendRedirect(location);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          async.complete();
        });
  }

  private static void sayLater(HttpServletRequest request, boolean counts) {
    AsyncContext async = request.startAsync();
    async.start(
        () -> {
          async.getRequest().setAttribute("counts", counts);
          async.complete();
        });
  }

  private static void answer(String path, HttpServletResponse response) throws IOException {
    Matcher status = STATUS.matcher(path);
    if (status.find()) {
      response.setStatus(Integer.parseInt(status.group(1)));
    }
    response.setContentType("text/plain;charset=UTF-8");
    response.getWriter().print(path.equals("/error-page") ? "error page" : "passed");
  }
}

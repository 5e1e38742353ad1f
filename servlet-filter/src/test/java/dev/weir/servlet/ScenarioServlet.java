package dev.weir.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;

/** The application of the HTTP scenarios: answers everything, and dispatches what begins so. */
public final class ScenarioServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final String DISPATCHES = "/do/";
  private static final String AGAIN = ScenarioServlet.class.getName();

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    String path = request.getServletPath();
    if (!path.startsWith(DISPATCHES) || request.getAttribute(AGAIN) != null) {
      answer(path, response);
      return;
    }
    request.setAttribute(AGAIN, true);
    String target = "/at" + path.substring(path.indexOf('/', DISPATCHES.length()));
    switch (path.split("/", -1)[2]) {
      case "forward" -> request.getRequestDispatcher(target).forward(request, response);
      case "include" -> request.getRequestDispatcher(target).include(request, response);
      case "error" -> response.sendError(418);
      case "async" -> dispatchLater(request, target);
      case "again" -> dispatchLater(request, path);
      default -> answer(path, response);
    }
  }

  private static void dispatchLater(HttpServletRequest request, String target) {
    AsyncContext async = request.startAsync();
    async.start(() -> async.dispatch(target));
  }

  private static void answer(String path, HttpServletResponse response) throws IOException {
    response.setContentType("text/plain;charset=UTF-8");
    response.getWriter().print(path.equals("/error-page") ? "error page" : "passed");
  }
}

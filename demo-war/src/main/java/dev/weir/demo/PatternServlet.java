package dev.weir.demo;

import jakarta.json.Json;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serial;

/**
 * {@code GET /patterns/*}: one path for each kind of limit, all in weir.yaml. The path with a
 * concurrency limit takes some time; the others answer at once.
 */
public final class PatternServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final int WORK_MILLIS = 500;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int workedMillis = Pattern.CONCURRENCY.path().equals(request.getPathInfo()) ? WORK_MILLIS : 0;
    work(workedMillis);
    response.setHeader("Cache-Control", "no-store");
    JsonAnswer.write(Json.createObjectBuilder().add("worked", workedMillis).build(), response);
  }

  private static void work(int millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted at work");
    }
  }
}

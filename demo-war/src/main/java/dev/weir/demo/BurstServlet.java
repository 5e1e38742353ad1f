package dev.weir.demo;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.Serial;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /burst}: sends one {@link Burst} to this node and tells every answer when it comes, a
 * line of JSON each. Limited by address, in weir.yaml, for it multiplies.
 */
public final class BurstServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final int PATIENCE_SECONDS = 10;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("application/x-ndjson");
    response.setCharacterEncoding("UTF-8");
    response.setHeader("Cache-Control", "no-store");
    Burst burst = new Burst(patterns(request));
    BlockingQueue<Burst.Answer> answers = burst.send();
    PrintWriter lines = response.getWriter();
    for (int told = 0; told < burst.size() && !lines.checkError(); told++) {
      Burst.Answer next = next(answers);
      if (next == null) {
        return;
      }
      lines.println(json(next));
    }
  }

  /** Where this node listens, whatever name it was called by. */
  private static URI patterns(HttpServletRequest request) {
    String address = request.getLocalAddr();
    String host = address.contains(":") ? "[" + address + "]" : address;
    return URI.create(
        "http://" + host + ":" + request.getLocalPort() + request.getContextPath() + "/patterns");
  }

  private static Burst.@Nullable Answer next(BlockingQueue<Burst.Answer> answers)
      throws InterruptedIOException {
    try {
      return answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a burst was under way");
    }
  }

  private static JsonObject json(Burst.Answer answer) {
    return Json.createObjectBuilder()
        .add("pattern", answer.pattern().slug())
        .add("sent", answer.sentMillis())
        .add("at", answer.atMillis())
        .add("status", answer.status())
        .build();
  }
}

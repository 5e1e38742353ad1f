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
import java.net.http.HttpClient;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /burst}: sends one {@link Burst} to this node and streams every answer when it
 * arrives, one line of JSON each. It is limited by address in weir.yaml, because it multiplies
 * requests. It also requires a header field that no form can send and no foreign page may set.
 */
public final class BurstServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private static final String MARK = "X-Weir-Demo";
  private static final String MARK_VALUE = "1";
  private static final int PATIENCE_SECONDS = 10;

  private final transient Burst.Way way;

  public BurstServlet() {
    this(Burst.Way.by(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()));
  }

  BurstServlet(Burst.Way way) {
    this.way = way;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!MARK_VALUE.equals(request.getHeader(MARK))) {
      response.sendError(HttpServletResponse.SC_FORBIDDEN);
      return;
    }
    response.setContentType("application/x-ndjson");
    response.setCharacterEncoding("UTF-8");
    response.setHeader("Cache-Control", "no-store");
    try (Burst burst = new Burst(way, patterns(request))) {
      tell(burst, response.getWriter());
    }
  }

  /** Runs until all answers are written, or the client has gone. */
  private static void tell(Burst burst, PrintWriter lines) throws InterruptedIOException {
    BlockingQueue<Burst.Answer> answers = burst.send();
    for (int written = 0; written < burst.size() && !lines.checkError(); written++) {
      Burst.Answer next = next(answers);
      if (next == null) {
        return;
      }
      lines.println(json(next));
    }
  }

  /** Returns the address on which this node listens, whatever host name the request used. */
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

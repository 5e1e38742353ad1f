package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A permit of a concurrency limit is a request's until its response has ended, however it does. */
class HeldWhileItRunsTest {

  private static final int LIMIT = 2;

  private final Semaphore end = new Semaphore(0);
  private final AtomicInteger inside = new AtomicInteger();
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final Weir weir =
      Weir.of(
          """
          limits: { running: %d concurrent, calls: 1000 per second }
          rules: [{ name: all, match: /**, subject: global, limits: [running, calls] }]
          """
              .formatted(LIMIT));

  @SuppressWarnings("NullAway.Init") // started before each test
  private JettyServlets jetty;

  @SuppressWarnings("NullAway.Init") // started before each test
  private RawHttp http;

  @BeforeEach
  void start() throws Exception {
    jetty =
        new JettyServlets()
            .filter(new RateLimitFilter(weir))
            .servlet("/waits", this::waits)
            .servlet("/plain", (request, response) -> response.setStatus(204))
            .servlet("/refused", (request, response) -> response.sendError(403))
            .servlet("/broken", HeldWhileItRunsTest::breaks)
            .servlet("/async", HeldWhileItRunsTest::completesElsewhere)
            .servlet("/late", HeldWhileItRunsTest::timesOut)
            .start();
    http = new RawHttp(jetty.base());
  }

  @AfterEach
  void stop() {
    end.release(100);
    clients.shutdown();
    jetty.close();
    weir.close();
  }

  @Test
  void as_many_requests_run_at_once_as_the_limit_says() throws Exception {
    List<Future<Answer>> running = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      running.add(clients.submit(() -> http.get("/waits")));
    }
    await().until(() -> inside.get() == LIMIT);
    Answer denied = http.get("/plain");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.field("RateLimit-Policy")).contains("q=2;qu=\"concurrent-requests\"");
    end.release();
    await().until(() -> http.get("/plain").status() == 204);
    end.release();
    for (Future<Answer> answer : running) {
      assertThat(answer.get().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/plain", "/refused", "/broken", "/async", "/late", "/nothing"})
  void however_a_response_ends_its_permit_comes_back(String path) {
    for (int i = 0; i < 3 * LIMIT; i++) {
      await().until(() -> http.get(path).status() != 429);
    }
  }

  private void waits(HttpServletRequest request, HttpServletResponse response) {
    inside.incrementAndGet();
    end.acquireUninterruptibly();
    response.setStatus(200);
  }

  private static void breaks(HttpServletRequest request, HttpServletResponse response)
      throws ServletException {
    throw new ServletException("planted");
  }

  private static void completesElsewhere(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext async = request.startAsync();
    async.start(async::complete);
  }

  private static void timesOut(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    request.startAsync().setTimeout(50);
  }
}

package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.http.RuleLimiter;
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

/** A slow servlet takes all that there is, but what is reserved for others. */
class OverloadTest {

  private static final int NUMBER = 8;
  private static final int RESERVED = 2;

  private final Semaphore end = new Semaphore(0);
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final Weir weir =
      Weir.of(
          """
          limits: { calls: 1000 per day window }
          rules:
            - { name: slow, match: /slow, subject: global, limits: [calls] }
            - { name: checkout, match: /checkout, subject: global, limits: [1000 per second] }
          overload:
            in-flight: { from: %d, to: %d }
            except: [/health]
            reserved: { checkout: 25%% }
          """
              .formatted(NUMBER, NUMBER));

  @SuppressWarnings("NullAway.Init") // started before each test
  private JettyServlets jetty;

  @SuppressWarnings("NullAway.Init") // started before each test
  private RawHttp http;

  @BeforeEach
  void start() throws Exception {
    jetty =
        new JettyServlets()
            .filter(new RateLimitFilter(weir))
            .servlet("/slow", this::waits)
            .servlet("/checkout", this::counted)
            .servlet("/health", (request, response) -> response.setStatus(204))
            .servlet("/refused", (request, response) -> response.sendError(403))
            .servlet("/broken", OverloadTest::breaks)
            .servlet("/async", OverloadTest::completesElsewhere)
            .servlet("/late", (request, response) -> request.startAsync().setTimeout(50))
            .start();
    http = new RawHttp(jetty.base());
  }

  @AfterEach
  void stop() {
    end.release(1_000);
    clients.shutdown();
    jetty.close();
    weir.close();
  }

  @Test
  void what_is_reserved_passes_while_all_else_is_shed() throws Exception {
    List<Future<Answer>> running = new ArrayList<>();
    for (int i = 0; i < 3 * NUMBER; i++) {
      running.add(clients.submit(() -> http.get("/slow")));
    }
    await().until(() -> inside.get() == NUMBER - RESERVED && shed() == 3 * NUMBER - inside.get());
    for (int i = 0; i < 50; i++) {
      assertThat(http.get("/checkout").status()).isEqualTo(204);
      assertShed(http.get("/slow"));
      assertShed(http.get("/nothing"));
      assertThat(http.get("/health").status()).isEqualTo(204);
    }
    end.release(1_000);
    int served = 0;
    for (Future<Answer> answer : running) {
      served += answer.get().status() == 200 ? 1 : 0;
    }
    assertThat(served).isEqualTo(NUMBER - RESERVED);
    assertThat(most.get()).isLessThanOrEqualTo(NUMBER);
    awaitNobody();
    assertThat(http.get("/slow").field("RateLimit"))
        .as("what was shed is charged nothing")
        .startsWith("\"calls\";r=" + (1000 - NUMBER + RESERVED - 1) + ";");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/checkout", "/refused", "/broken", "/async", "/late", "/none"})
  void however_a_response_ends_nobody_stays(String path) {
    for (int i = 0; i < 3 * NUMBER; i++) {
      assertThat(http.get(path).status()).isNotEqualTo(503);
      awaitNobody();
    }
  }

  private void awaitNobody() {
    await().until(() -> stats().inFlight() == 0);
  }

  private long shed() {
    return stats().shed();
  }

  private RuleLimiter.InFlight stats() {
    return weir.status().overload().orElseThrow();
  }

  private static void assertShed(Answer answer) {
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.retryAfterSeconds().orElseThrow()).isBetween(1L, 3L);
    assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.field("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.has("RateLimit")).isFalse();
  }

  private void waits(HttpServletRequest request, HttpServletResponse response) {
    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
    end.acquireUninterruptibly();
    inside.decrementAndGet();
  }

  private void counted(HttpServletRequest request, HttpServletResponse response) {
    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
    response.setStatus(204);
    inside.decrementAndGet();
  }

  private static void breaks(HttpServletRequest request, HttpServletResponse response)
      throws ServletException {
    throw new ServletException("planted");
  }

  private static void completesElsewhere(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    AsyncContext async = request.startAsync();
    async.start(async::complete);
  }
}

package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request whose wait is over before something in front refuses that it waits aside. */
class DecidedBeforeRefusalTest {

  private final Semaphore end = new Semaphore(0);
  private final AtomicInteger inside = new AtomicInteger();
  private final AsyncRefusal refusal = new AsyncRefusal(this::untilItIsDecided);
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final Weir weir =
      Weir.of(
          """
          delays: async
          limits: { one: 1 concurrent, pace: "30 per minute, burst 1" }
          rules:
            - { name: held, match: /held, subject: global, limits: [one], on-denial: delay up to 100ms }
            - { name: paced, match: /paced, subject: global, limits: [pace], on-denial: delay up to 20s }
          overload:
            in-flight: { from: 4, to: 4 }
          """);

  @SuppressWarnings("NullAway.Init") // started before each test
  private JettyServlets jetty;

  @SuppressWarnings("NullAway.Init") // started before each test
  private RawHttp http;

  @BeforeEach
  void start() throws Exception {
    jetty =
        new JettyServlets()
            .filter(refusal)
            .filter(new RateLimitFilter(weir))
            .servlet("/paced", (request, response) -> response.setStatus(204))
            .servlet("/held", this::waits)
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
  void it_is_rejected_where_it_was_denied() throws Exception {
    Future<Answer> first = clients.submit(() -> http.get("/held"));
    await().until(() -> inside.get() == 1);
    Answer second = http.get("/held");
    assertThat(refusal.refused()).as("times that it could not wait aside").isEqualTo(1);
    assertThat(second.status()).isEqualTo(429);
    end.release();
    assertThat(first.get().status()).isEqualTo(200);
    assertThat(inside).hasValue(1);
  }

  @Test
  void it_is_counted_until_its_end_where_it_was_allowed() {
    assertThat(http.get("/paced").status()).isEqualTo(204);
    assertThat(http.get("/paced").status()).isEqualTo(204);
    assertThat(refusal.refused()).as("times that it could not wait aside").isEqualTo(1);
    await().until(() -> weir.status().overload().orElseThrow().inFlight() == 0);
  }

  /** Only the first one stays. */
  private void waits(HttpServletRequest request, HttpServletResponse response) {
    if (inside.incrementAndGet() == 1) {
      end.acquireUninterruptibly();
    }
  }

  private void untilItIsDecided() {
    await().until(() -> weir.status().waiting() == 0);
  }
}

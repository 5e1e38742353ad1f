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

/** A request that something in front will not have wait aside waits on its thread instead. */
class RefusedAsyncTest {

  private final Semaphore end = new Semaphore(0);
  private final AtomicInteger inside = new AtomicInteger();
  private final AsyncRefusal refusal = new AsyncRefusal(() -> {});
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final Weir weir =
      Weir.of(
          """
          delays: async
          limits: { pace: "20 per minute, burst 1" }
          rules:
            - { name: all, match: /**, subject: global, limits: [pace], on-denial: delay up to 20s }
          overload:
            in-flight: { from: 4, to: 4 }
          """);

  @SuppressWarnings("NullAway.Init") // started before each test
  private JettyServlets jetty;

  @BeforeEach
  void start() throws Exception {
    jetty =
        new JettyServlets()
            .filter(refusal)
            .filter(new RateLimitFilter(weir))
            .servlet("/free", (request, response) -> response.setStatus(204))
            .servlet("/held", this::waits)
            .start();
  }

  @AfterEach
  void stop() {
    end.release(100);
    clients.shutdown();
    jetty.close();
    weir.close();
  }

  @Test
  void it_is_counted_among_those_that_run_and_no_longer() throws Exception {
    RawHttp http = new RawHttp(jetty.base());
    assertThat(http.get("/free").status()).isEqualTo(204);
    await().until(() -> inFlight() == 0);
    Future<Answer> waiting = clients.submit(() -> http.get("/held"));
    await().until(() -> inside.get() == 1);
    assertThat(refusal.refused()).as("times that it could not wait aside").isEqualTo(1);
    assertThat(inFlight()).isEqualTo(1);
    end.release();
    assertThat(waiting.get().status()).isEqualTo(200);
    await().until(() -> inFlight() == 0);
  }

  private int inFlight() {
    return weir.status().overload().orElseThrow().inFlight();
  }

  private void waits(HttpServletRequest request, HttpServletResponse response) {
    inside.incrementAndGet();
    end.acquireUninterruptibly();
  }
}

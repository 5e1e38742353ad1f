package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What happens to a waiting request when the container reports that something has gone wrong. Over
 * HTTP/1.1 no tested container reports a client that has gone, so the test reports it instead.
 */
class GoneClientTest {

  private final Queue<AsyncContext> started = new ConcurrentLinkedQueue<>();
  private final Queue<AsyncListener> listening = new ConcurrentLinkedQueue<>();
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final Weir weir =
      Weir.of(
          """
          delays: async
          limits: { pace: 1 per minute }
          rules:
            - { name: all, match: /**, subject: global, limits: [pace], on-denial: delay up to 90s }
          """);

  @SuppressWarnings("NullAway.Init") // started before each test
  private JettyServlets jetty;

  @SuppressWarnings("NullAway.Init") // started before each test
  private Future<Answer> waiting;

  @BeforeEach
  void waitForPermits() throws Exception {
    Filter hearing = (request, response, chain) -> chain.doFilter(received(request), response);
    jetty =
        new JettyServlets()
            .filter(hearing)
            .filter(new RateLimitFilter(weir))
            .servlet("/*", (request, response) -> response.setStatus(200))
            .start();
    RawHttp http = new RawHttp(jetty.base());
    assertThat(http.get("/a").status()).isEqualTo(200);
    waiting = clients.submit(() -> http.get("/b"));
    await().until(() -> weir.status().waiting() == 1 && !listening.isEmpty());
  }

  @AfterEach
  void stop() {
    clients.shutdown();
    jetty.close();
    weir.close();
  }

  @Test
  void who_has_gone_leaves_his_place_to_the_next() throws Exception {
    listening.element().onError(new AsyncEvent(started.element(), new IOException("gone")));
    assertThat(weir.status().waiting()).isZero();
    Future<Answer> next = clients.submit(() -> new RawHttp(jetty.base()).get("/c"));
    await().until(() -> weir.status().waiting() == 1);
    assertThat(next).as("two minutes from now, had he not left").isNotDone();
    started.element().complete();
    assertThat(waiting.get().status()).as("as the container has it").isEqualTo(200);
  }

  @Test
  void what_the_container_has_completed_leaves_its_place() throws Exception {
    started.element().complete();
    waiting.get();
    await().until(() -> weir.status().waiting() == 0);
  }

  @Test
  void what_the_container_times_out_is_refused_and_leaves_its_place() throws Exception {
    listening.element().onTimeout(new AsyncEvent(started.element()));
    assertThat(waiting.get().status()).isEqualTo(503);
    assertThat(waiting.get().field("Retry-After")).isEqualTo("1");
    assertThat(weir.status().waiting()).isZero();
  }

  @Test
  void an_application_that_stops_refuses_who_waits() throws Exception {
    weir.close();
    assertThat(waiting.get().status()).isEqualTo(503);
  }

  private ServletRequest received(ServletRequest request) {
    return new HttpServletRequestWrapper((HttpServletRequest) request) {
      @Override
      public AsyncContext startAsync() {
        AsyncContext async = super.startAsync();
        started.add(async);
        return reportingTo(async);
      }
    };
  }

  /** Returns the container's own context, which also records its listeners. */
  private AsyncContext reportingTo(AsyncContext async) {
    return (AsyncContext)
        Proxy.newProxyInstance(
            AsyncContext.class.getClassLoader(),
            new Class<?>[] {AsyncContext.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("addListener")) {
                listening.add((AsyncListener) arguments[0]);
              }
              try {
                return method.invoke(async, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}

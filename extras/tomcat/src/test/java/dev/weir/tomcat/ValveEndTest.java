package dev.weir.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.Http2Connection;
import dev.weir.http.RawHttp;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behind a Valve too, a request holds its permit for as long as a thread works on it. */
class ValveEndTest {

  private final Tomcat tomcat = new Tomcat();
  private final Dispatching servlet = new Dispatching();
  private final URI base;

  ValveEndTest(@TempDir Path directory) throws LifecycleException {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
    Context shop = tomcat.addContext("/shop", directory.toString());
    Wrapper wrapper = Tomcat.addServlet(shop, "dispatching", servlet);
    wrapper.setAsyncSupported(true);
    shop.addServletMappingDecoded("/*", "dispatching");
    RateLimitValve valve = new RateLimitValve();
    Map.of("limit", "1 concurrent, ttl 5s", "subject", "global").forEach(valve::setProperty);
    shop.getPipeline().addValve(valve);
    tomcat.start();
    base = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop");
  }

  @AfterEach
  void stop() throws LifecycleException {
    servlet.leave.release();
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void the_thread_of_a_dispatch_after_an_error_keeps_the_permit() {
    try (Http2Connection client = new Http2Connection(base)) {
      int stream = client.get("/poll");
      await().until(() -> servlet.polling.get() == 1);
      client.cancel(stream);
      await().until(() -> servlet.holding.get() == 1);
      await("longer than a cancelled request may take")
          .during(Duration.ofMillis(1_500))
          .until(() -> status("/done") == 429);
      servlet.leave.release();
      await().untilAsserted(() -> assertThat(status("/done")).isEqualTo(204));
    }
  }

  private int status(String path) {
    return new RawHttp(base).get(path).status();
  }

  /** Leaves a poll open, and holds the thread of its dispatch when the client has gone. */
  private static final class Dispatching extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient AtomicInteger polling = new AtomicInteger();
    private final transient AtomicInteger holding = new AtomicInteger();
    private final transient Semaphore leave = new Semaphore(0);

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {
      switch (request.getPathInfo()) {
        case "/poll" -> {
          AsyncContext async = request.startAsync();
          async.setTimeout(0);
          async.addListener(new DispatchingToHold());
          polling.incrementAndGet();
        }
        case "/hold" -> {
          holding.incrementAndGet();
          leave.acquireUninterruptibly();
          holding.decrementAndGet();
        }
        default -> response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      }
    }
  }

  /** Dispatches a request that has failed, as frameworks do to render the error. */
  private record DispatchingToHold() implements AsyncListener {

    @Override
    public void onError(AsyncEvent event) {
      event.getAsyncContext().dispatch("/hold");
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}

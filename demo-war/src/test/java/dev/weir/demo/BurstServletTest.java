package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A burst runs only while the client that requested it is connected. */
class BurstServletTest {

  private static final int AT_ONCE = 2 * Pattern.values().length;
  private static final int ALL = 40 * Pattern.values().length;

  private final AtomicInteger sent = new AtomicInteger();
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final BurstServlet servlet =
      new BurstServlet(
          new Burst.Way(
              request -> {
                sent.incrementAndGet();
                return CompletableFuture.failedFuture(new ConnectException("nobody there"));
              },
              millis -> task -> run(task, millis)));

  private void run(Runnable task, long millis) {
    if (millis <= 0) {
      task.run();
    } else {
      later.add(task);
    }
  }

  @Test
  void who_hangs_up_ends_his_burst() throws IOException {
    servlet.doPost(request(), response(hungUp()));
    assertThat(sent).hasValue(AT_ONCE);
    later.forEach(Runnable::run);
    assertThat(sent).as("sent for nobody").hasValue(AT_ONCE);
    assertThat(later).hasSize(ALL - AT_ONCE);
  }

  @Test
  void who_stays_has_all_of_it() throws IOException {
    PrintWriter goingOn =
        new PrintWriter(Writer.nullWriter()) {
          @Override
          public void println(Object line) {
            later.forEach(Runnable::run);
            later.clear();
          }
        };
    servlet.doPost(request(), response(goingOn));
    assertThat(sent).hasValue(ALL);
  }

  private static PrintWriter hungUp() {
    PrintWriter closed = new PrintWriter(Writer.nullWriter());
    closed.close();
    return closed;
  }

  private static HttpServletRequest request() {
    return answering(
        HttpServletRequest.class,
        Map.of(
            "getHeader",
            "1",
            "getLocalAddr",
            "127.0.0.1",
            "getLocalPort",
            8080,
            "getContextPath",
            ""));
  }

  private static HttpServletResponse response(PrintWriter writer) {
    return answering(HttpServletResponse.class, Map.of("getWriter", writer));
  }

  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }
}

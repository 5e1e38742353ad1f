package dev.weir.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DriverTest {

  private static final byte[] FIELDS =
      "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 9\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private static final byte[] BODY = "try later".getBytes(StandardCharsets.US_ASCII);

  @Test
  void a_denial_ends_with_its_body_even_if_that_comes_later() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Future<Integer> served = executor.submit(denying(server));

      Driver.Outcome outcome = new Driver(server.getLocalPort(), "/", 1, 1, 300, 429).run();

      assertThat(outcome.failures()).isZero();
      assertThat(outcome.requests()).isPositive();
      assertThat((int) outcome.requests()).isBetween(served.get() - 1, served.get());
    } finally {
      executor.shutdown();
    }
  }

  /** Returns a server of one connection, which counts the requests until that is closed. */
  private static Callable<Integer> denying(ServerSocket server) {
    return () -> {
      int requests = 0;
      try (Socket client = server.accept()) {
        client.setTcpNoDelay(true);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        OutputStream answers = client.getOutputStream();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.isEmpty()) {
            requests++;
            answers.write(FIELDS);
            TimeUnit.MILLISECONDS.sleep(20);
            answers.write(BODY);
          }
        }
      } catch (IOException closed) {
        // by the driver, which has ended
      }
      return requests;
    };
  }
}

package dev.weir.bench.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.ChildJvm;
import dev.weir.delay.DelayMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayProcessTest {

  @Test
  void the_uri_leads_to_the_redis_behind_it_with_its_credentials() throws Exception {
    try (ServerSocket redis = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        DelayProcess proxy =
            DelayProcess.start(
                "redis://user:word@127.0.0.1:" + redis.getLocalPort() + "/2",
                Duration.ofMillis(2))) {
      URI uri = URI.create(proxy.uri());
      assertThat(uri.getUserInfo()).isEqualTo("user:word");
      assertThat(uri.getPath()).isEqualTo("/2");
      try (Socket client = new Socket(uri.getHost(), uri.getPort());
          Socket accepted = redis.accept()) {
        long before = System.nanoTime();
        client.getOutputStream().write('q');
        assertThat(accepted.getInputStream().read()).isEqualTo('q');
        assertThat(Duration.ofNanos(System.nanoTime() - before))
            .isGreaterThanOrEqualTo(Duration.ofMillis(1));
      }
    }
  }

  /** As when the process that has started it is killed. */
  @Test
  void it_ends_when_its_input_ends() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                DelayMain.class.getName(),
                "127.0.0.1",
                "1",
                "1000")
            .start();
    assertThat(process.inputReader().readLine()).matches("\\d+");

    process.getOutputStream().close();

    assertThat(process.waitFor()).isZero();
  }

  @Test
  void a_process_that_has_ended_answers_nothing() throws IOException {
    try (ChildJvm jvm = ChildJvm.start(DelayMain.class, List.of("--dry-run"))) {
      assertThatThrownBy(jvm::answer)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the process has ended");
    }
  }
}

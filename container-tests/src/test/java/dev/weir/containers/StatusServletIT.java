package dev.weir.containers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of the status, in each container. */
class StatusServletIT {

  private static final String RULES =
      "rules: [{ name: login, match: /login, subject: ip, limits: [1 per hour] }]\n";

  private final HttpClient client = HttpClient.newHttpClient();

  static Stream<Container> containers() {
    return Containers.all();
  }

  @ParameterizedTest
  @MethodSource("containers")
  void it_answers_the_network_and_nobody_behind_a_proxy(
      Container container, @TempDir Path directory) throws Exception {
    Path configuration = Files.writeString(directory.resolve("weir.yaml"), RULES);
    War war = ScenarioWar.withStatus(container.edition(), configuration);
    try (RunningContainer running =
        RunningContainer.start(container, Jdk.running(), war, directory)
            .untilItAnswers("/free/anything")) {
      assertThat(running.status("/login")).isEqualTo(200);
      assertThat(running.status("/login")).isEqualTo(429);
      HttpResponse<String> json = answer(running, "/weir-status");
      assertThat(json.statusCode()).isEqualTo(200);
      assertThat(json.body()).startsWith("{\"version\"").contains("\"denied\":1");
      HttpResponse<String> text = answer(running, "/weir-status?format=prometheus");
      assertThat(text.body()).contains("weir_requests_total{outcome=\"denied\"} 1.0\n");
      HttpResponse<String> hidden = answer(running, "/weir-status", "X-Forwarded-For", "127.0.0.1");
      assertThat(hidden.statusCode()).isEqualTo(404);
      assertThat(hidden.body()).doesNotContain("login");
      for (String rebound : List.of("$WSSN: localhost", "X-Forwarded-Host: localhost", "X-A: b")) {
        assertThat(foreign(running, rebound)).as(rebound).doesNotContain("weir_requests");
      }
    }
  }

  /**
   * Returns the whole answer to a page of another site, which has bound its name to this server.
   */
  private static String foreign(RunningContainer running, String field) throws IOException {
    URI base = running.base();
    String request =
        "GET %s/weir-status?format=prometheus HTTP/1.1\r\nHost: evil.example\r\n%s\r\nConnection: close\r\n\r\n"
            .formatted(base.getPath(), field);
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private HttpResponse<String> answer(RunningContainer running, String path, String... header)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(running.base() + path));
    return client.send(
        (header.length == 0 ? request : request.headers(header)).build(), BodyHandlers.ofString());
  }
}

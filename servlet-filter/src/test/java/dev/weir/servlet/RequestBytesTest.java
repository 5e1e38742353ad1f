package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.Http2Upgrade;
import dev.weir.http.RawHttp;
import dev.weir.servlet.Containers.Starter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client sends is what it pays. */
class RequestBytesTest {

  private static final String RULES =
      """
      limits: { upload: 10 kB per day window }
      rules:
        - name: upload
          match: /up/**
          subject: global
          limits: [upload]
          cost: { request: bytes, unknown: 1 kB }
      """;

  private static final Pattern REMAINING = Pattern.compile("\"upload\";r=([0-9]+).*");

  @TempDir
  @SuppressWarnings("NullAway.Init") // made before each test
  private Path directory;

  static Stream<Arguments> containersAndVersions() {
    return Containers.all()
        .flatMap(it -> Stream.of(Version.HTTP_1_1, Version.HTTP_2).map(v -> Arguments.of(it, v)));
  }

  @ParameterizedTest
  @MethodSource("containersAndVersions")
  void an_upload_costs_its_length_and_one_of_unknown_length_what_is_stated(
      Starter starter, Version version) throws Exception {
    try (Container container = starter.run()) {
      deploy(container);
      Client client = new Client(container.base(), version);
      Http2Upgrade.of(client.http(), URI.create(container.base() + "/free"));
      assertThat(client.left("POST", bytes(1_234))).isEqualTo(8_766);
      assertThat(client.left("PUT", BodyPublishers.fromPublisher(bytes(10)))).isEqualTo(7_766);
      int bodyless = version == Version.HTTP_2 ? 1_000 : 1;
      assertThat(client.left("GET", BodyPublishers.noBody())).isEqualTo(7_766 - bodyless);
      HttpResponse<Void> denied = client.send("POST", "/up/a", bytes(7_800));
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.version()).isEqualTo(version);
      assertThat(denied.headers().firstValue("Retry-After")).isPresent();
      assertThat(client.left("POST", bytes(66))).isEqualTo(7_700 - bodyless);
      HttpResponse<Void> never = client.send("POST", "/up/a", bytes(10_001));
      assertThat(never.statusCode()).isEqualTo(429);
      assertThat(never.headers().firstValue("Retry-After")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void no_length_that_is_made_up_is_cheaper(Starter starter) throws Exception {
    try (Container container = starter.run()) {
      deploy(container);
      RawHttp http = new RawHttp(container.base());
      long left = left(http.get("/up/a").field("RateLimit"));
      for (String length : new String[] {"-1", "+5", "5, 6", "5x", "0x5", "99999999999999999999"}) {
        Answer answer = http.send("PATCH", "/up/a", "Content-Length: " + length);
        long now = left(http.get("/up/a").field("RateLimit"));
        if (!answer.isMalformed() && !answer.isDenied()) {
          assertThat(left - 1 - now).as(length).isGreaterThanOrEqualTo(1_000);
        }
        left = now;
      }
      Answer two = http.send("PATCH", "/up/a", "Content-Length: 0", "Content-Length: 5");
      assertThat(two.isMalformed()).isTrue();
    }
  }

  private void deploy(Container container) throws Exception {
    container.deploy(
        WebApp.in(directory, WebApp.webXml(Reading.class.getName()))
            .with("WEB-INF/weir.yaml", RULES));
  }

  private static BodyPublisher bytes(int number) {
    return BodyPublishers.ofByteArray(new byte[number]);
  }

  private static long left(String field) {
    Matcher remaining = REMAINING.matcher(field);
    assertThat(remaining.matches()).as(field).isTrue();
    return Long.parseLong(remaining.group(1));
  }

  /** A client of one version. */
  private record Client(URI base, HttpClient http) {

    Client(URI base, Version version) {
      this(base, HttpClient.newBuilder().version(version).build());
    }

    HttpResponse<Void> send(String method, String path, BodyPublisher body)
        throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(base + path)).method(method, body).build();
      return http.send(request, BodyHandlers.discarding());
    }

    long left(String method, BodyPublisher body) throws IOException, InterruptedException {
      HttpResponse<Void> response = send(method, "/up/a", body);
      assertThat(response.statusCode()).isEqualTo(204);
      return RequestBytesTest.left(response.headers().firstValue("RateLimit").orElse(""));
    }
  }

  /** Reads what is sent. */
  public static final class Reading extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      request.getInputStream().readAllBytes();
      response.setStatus(204);
    }
  }
}

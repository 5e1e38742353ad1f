package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.TemporaryFiles;
import dev.weir.http.RawHttp;
import dev.weir.servlet.HttpClients.Protocol;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind a proxy that comes through a Unix socket, each client counts by itself. */
class UnixSocketTest {

  private static final String CONFIGURATION =
      """
      client-address: { trusted-proxies: [%s], header: X-Forwarded-For }
      rules:
        - { name: all, match: /**, subject: ip, limits: [1 per hour] }
      """;

  /** Short, because the path of a socket has at most 107 characters. */
  private final Path home = Files.createTempDirectory("unix");

  private final Path socket = home.resolve("http");

  UnixSocketTest() throws IOException {}

  @AfterEach
  void delete() {
    TemporaryFiles.delete(home);
  }

  /** Tomcat reports 127.0.0.1 for such a peer, and Jetty an empty text. */
  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void clients_behind_a_trusted_proxy_count_each(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run();
        LogCapture log = new LogCapture("dev.weir.http")) {
      deploy(container, directory, "unix, 127.0.0.1");
      assertThat(statusFor("203.0.113.1")).isEqualTo(200);
      assertThat(statusFor("203.0.113.1")).isEqualTo(429);
      assertThat(statusFor("198.51.100.1, 203.0.113.1")).as("a made-up address").isEqualTo(429);
      assertThat(statusFor("203.0.113.2")).isEqualTo(200);
      assertThat(log.records()).noneMatch(line -> line.getLevel().equals(Level.WARNING));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.RequestedRulesTest#containersAndProtocols")
  void so_they_do_over_both_protocols(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    try (Container container = starter.run()) {
      deploy(container, directory, "unix, 127.0.0.1");
      try (UnixRelay relay = UnixRelay.to(socket);
          HttpClients http = protocol.client(relay.base())) {
        assertThat(http.get("/x", "X-Forwarded-For", "203.0.113.1")).isEqualTo(200);
        assertThat(http.get("/x", "X-Forwarded-For", "198.51.100.1, 203.0.113.1")).isEqualTo(429);
        assertThat(http.get("/x", "X-Forwarded-For", "203.0.113.2")).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void clients_behind_another_one_share_a_counter_and_one_warning_says_so(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (Container container = starter.run();
        LogCapture log = new LogCapture("dev.weir.http")) {
      deploy(container, directory, "10.0.0.1");
      assertThat(statusFor("203.0.113.1")).isEqualTo(200);
      assertThat(statusFor("203.0.113.2")).isEqualTo(429);
      assertThat(log.records())
          .filteredOn(line -> line.getLevel().equals(Level.WARNING))
          .singleElement()
          .satisfies(line -> assertThat(line.getMessage()).contains("one counter"));
    }
  }

  /** Undertow reports an empty text of a peer that it does not know. */
  @ParameterizedTest
  @ValueSource(strings = {"", "/", "unix:"})
  void outside_of_Jetty_no_text_makes_a_peer_one_of_a_Unix_socket(
      String reported, @TempDir Path directory) throws Exception {
    try (Container container =
        TomcatContainer.startWith(
            context -> context.getPipeline().addValve(new Reporting(reported)))) {
      deploy(container, directory, "unix");
      RawHttp http = new RawHttp(container.base());
      assertThat(http.get("/x", "X-Forwarded-For: 203.0.113.1").status()).isEqualTo(200);
      assertThat(http.get("/x", "X-Forwarded-For: 203.0.113.2").status()).isEqualTo(429);
    }
  }

  /** Has Tomcat report this of every peer. */
  private static final class Reporting extends ValveBase {

    private final String address;

    private Reporting(String address) {
      this.address = address;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      request.setRemoteAddr(address);
      getNext().invoke(request, response);
    }
  }

  private void deploy(Container container, Path directory, String proxies) throws Exception {
    container.listenAt(socket);
    container.deploy(
        WebApp.in(directory, WebApp.webXml(QueryTest.Echo.class.getName()))
            .with("WEB-INF/weir.yaml", CONFIGURATION.formatted(proxies)));
  }

  private int statusFor(String forwardedFor) throws IOException {
    String request =
        "GET /shop/x HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: %s\r\nConnection: close\r\n\r\n"
            .formatted(forwardedFor);
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap(request.getBytes(ISO_8859_1)));
      String answer = new String(Channels.newInputStream(channel).readAllBytes(), ISO_8859_1);
      return Integer.parseInt(answer.split(" ", 3)[1]);
    }
  }
}

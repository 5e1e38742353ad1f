package dev.weir.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayProxyTest {

  private static final Duration DELAY = Duration.ofMillis(5);

  @SuppressWarnings("NullAway.Init") // opened before each test
  private ServerSocket server;

  @SuppressWarnings("NullAway.Init") // started before each test
  private DelayProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    proxy =
        DelayProxy.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()),
            DELAY.toNanos());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void a_round_trip_takes_at_least_the_delay_both_ways() throws IOException {
    try (Socket client = connect();
        Socket redis = server.accept()) {
      for (int i = 0; i < 20; i++) {
        long before = System.nanoTime();
        client.getOutputStream().write('q');
        redis.getInputStream().read();
        redis.getOutputStream().write('a');
        client.getInputStream().read();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
            .isGreaterThanOrEqualTo(DELAY.multipliedBy(2));
      }
    }
  }

  /** One after the other they would take half a minute. */
  @Test
  void what_follows_does_not_wait_for_what_is_before_it() throws IOException {
    int messages = 100;
    Duration far = Duration.ofMillis(300);
    InetSocketAddress target =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    List<Socket> all = new ArrayList<>();
    try (DelayProxy distant = DelayProxy.start(target, far.toNanos())) {
      long before = System.nanoTime();
      for (int i = 0; i < messages; i++) {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), distant.port());
        client.getOutputStream().write('q');
        all.add(client);
      }
      for (int i = 0; i < messages; i++) {
        Socket redis = server.accept();
        assertThat(redis.getInputStream().read()).isEqualTo('q');
        all.add(redis);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isBetween(far, far.multipliedBy(messages / 2));
    } finally {
      for (Socket one : all) {
        one.close();
      }
    }
  }

  @Test
  void bytes_arrive_in_order_however_many_and_however_late_they_are_read() throws Exception {
    byte[] sent = new byte[20_000_000];
    new Random(1).nextBytes(sent);
    try (Socket client = connect();
        Socket redis = server.accept()) {
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client.getOutputStream().write(sent);
                  client.shutdownOutput();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      writing.join(); // its receiver has not begun to read: all of it waits in the proxy

      assertThat(redis.getInputStream().readAllBytes()).isEqualTo(sent);
    }
  }

  @Test
  void one_that_does_not_read_holds_up_no_other() throws IOException {
    try (Socket deaf = connect();
        Socket unread = server.accept();
        Socket client = connect();
        Socket redis = server.accept()) {
      deaf.getOutputStream().write(new byte[20_000_000]);
      client.getOutputStream().write('q');

      assertThat(redis.getInputStream().read()).isEqualTo('q');
      assertThat(unread.isConnected()).isTrue();
    }
  }

  @Test
  void many_connections_keep_apart() throws IOException {
    List<Socket> all = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      Socket client = connect();
      Socket redis = server.accept();
      all.add(client);
      redis.getOutputStream().write(i);
      all.add(redis);
    }
    for (int i = 0; i < 70; i++) {
      assertThat(all.get(2 * i).getInputStream().read()).isEqualTo(i);
    }
    for (Socket one : all) {
      one.close();
    }
  }

  @Test
  void a_half_that_is_closed_leaves_the_other_open() throws IOException {
    try (Socket client = connect();
        Socket redis = server.accept()) {
      client.getOutputStream().write(bytes("question"));
      client.shutdownOutput();
      assertThat(redis.getInputStream().readAllBytes()).isEqualTo(bytes("question"));

      redis.getOutputStream().write(bytes("answer"));
      redis.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).isEqualTo(bytes("answer"));
    }
  }

  @Test
  void the_client_hears_that_redis_is_gone() throws IOException {
    try (Socket client = connect()) {
      server.accept().close();

      assertThat(client.getInputStream().read()).isNegative();
    }
  }

  @Test
  void redis_hears_that_the_client_is_gone() throws IOException {
    connect().close();
    try (Socket redis = server.accept()) {
      assertThat(redis.getInputStream().read()).isNegative();
    }
  }

  @Test
  void without_a_redis_the_connection_is_closed() throws IOException {
    server.close();
    try (Socket client = connect()) {
      assertThat(client.getInputStream().read()).isNegative();
    }
  }

  @Test
  void closing_it_cuts_what_is_open() throws IOException {
    try (Socket client = connect();
        Socket redis = server.accept()) {
      proxy.close();

      assertThat(client.getInputStream().read()).isNegative();
      assertThat(redis.getInputStream().read()).isNegative();
      assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
    }
  }
}

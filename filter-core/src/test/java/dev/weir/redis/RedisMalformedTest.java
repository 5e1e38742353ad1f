package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Deadline;
import dev.weir.redis.RedisUri.Host;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A peer that does not speak Redis's language is a connection that failed, never an error. */
class RedisMalformedTest {

  private final Watchdog watchdog = new Watchdog("weir-redis-test-watchdog");

  @AfterEach
  void close() throws InterruptedException {
    watchdog.close();
    watchdog.join(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*-2\r\n", "$-7\r\n", "$2147483647\r\n", "*2147483647\r\n", "?\r\n"})
  void a_reply_that_is_none_fails_the_call_and_ends_the_connection(String reply) throws Exception {
    try (ServerSocket peer = answering(reply)) {
      RedisConnection connection = open(peer, config().build());
      assertThatThrownBy(() -> connection.call(new CommandArguments(Command.TIME), soon()))
          .isInstanceOf(JedisConnectionException.class);
      assertThat(connection.isUsable()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*-2\r\n", "$2147483647\r\n"})
  void a_reply_that_is_none_fails_the_opening(String reply) throws Exception {
    try (ServerSocket peer = answering(reply)) {
      assertThatThrownBy(() -> open(peer, config().password("any").build()))
          .isInstanceOf(JedisConnectionException.class);
    }
  }

  private RedisConnection open(ServerSocket peer, JedisClientConfig config) {
    Host host = new Host("127.0.0.1", peer.getLocalPort());
    return RedisConnection.open(host, null, config, watchdog, soon());
  }

  private static DefaultJedisClientConfig.Builder config() {
    return DefaultJedisClientConfig.builder()
        .serverDefaultProtocol()
        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(5));
  }

  /** Answers the first that is said to it, whatever that is. */
  private static ServerSocket answering(String reply) throws IOException {
    ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(() -> answer(server, reply), "malformed-peer");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  private static void answer(ServerSocket server, String reply) {
    try (Socket client = server.accept()) {
      if (client.getInputStream().read() >= 0) {
        client.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
    } catch (IOException closed) {
      // that is how it ends
    }
  }
}

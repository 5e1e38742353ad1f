package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.SideBySide;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.RedisConnection;
import dev.weir.redis.internal.client.RedisConnection.Login;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.store.Deadline;
import dev.weir.store.LimiterListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.PushConsumerChainImpl;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.SafeEncoder;

/** A peer that does not speak Redis's protocol is a connection that failed, never an error. */
@SideBySide
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class RedisMalformedTest {

  private static final Duration SOON = Duration.ofSeconds(5);

  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private final SocketTimer timer = new SocketTimer("weir-redis-test-timer", LimiterListener.NONE);

  @AfterEach
  void close() throws InterruptedException {
    timer.close();
    timer.join(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*-2\r\n", "$-7\r\n", "$2147483647\r\n", "*2147483647\r\n", "?\r\n"})
  void a_reply_that_is_none_fails_the_call_and_ends_the_connection(String reply) throws Exception {
    try (ServerSocket peer = answering(reply)) {
      RedisConnection connection = open(peer, Login.NONE);
      assertThatThrownBy(() -> connection.call(new CommandArguments(Command.TIME), soon()))
          .isInstanceOf(JedisConnectionException.class);
      assertThat(connection.isUsable()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*-2\r\n", "$2147483647\r\n"})
  void a_reply_that_is_none_fails_the_opening(String reply) throws Exception {
    try (ServerSocket peer = answering(reply)) {
      assertThatThrownBy(() -> open(peer, new Login(null, "any", 0)))
          .isInstanceOf(JedisConnectionException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"+OK\r\n", ":1\r\n", "*-1\r\n", "*1\r\n:1\r\n", "*2\r\n:1\r\n$1\r\n1\r\n"})
  void what_no_script_of_ours_replies_is_an_outage_until_a_redis_replies(String reply)
      throws Exception {
    Recorder received = new Recorder();
    ServerSocket peer = answering(reply);
    RedisOptions options = RedisOptions.of("redis://127.0.0.1:" + peer.getLocalPort(), "malformed");
    try (RedisLimitStore store = RedisLimitStore.connect(options, received)) {
      Awaitility.await().until(() -> !Load.decides(store) && !store.isHealthy());
      Awaitility.await().until(() -> received.probes.size() > 1);
      assertThat(received.texts).first().asString().contains("what no script of ours does");
      assertThat(received.probes).doesNotContain(true);

      close(peer);
      awaitRecovery(store, peer.getLocalPort());
    }
  }

  /** For example, a load balancer without a server behind it. */
  @Test
  void so_is_a_peer_that_accepts_connections_and_hangs_up() throws Exception {
    Recorder received = new Recorder();
    ServerSocket peer = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(() -> hangUp(peer));
    RedisOptions options = RedisOptions.of("redis://127.0.0.1:" + peer.getLocalPort(), "malformed");
    try (RedisLimitStore store = RedisLimitStore.connect(options, received)) {
      Awaitility.await().until(() -> !Load.decides(store) && !store.isHealthy());
      Awaitility.await().until(() -> received.probes.size() > 1);
      assertThat(received.probes).doesNotContain(true);

      close(peer);
      awaitRecovery(store, peer.getLocalPort());
    }
  }

  private static void hangUp(ServerSocket peer) {
    try {
      while (!peer.isClosed()) {
        peer.accept().close();
      }
    } catch (IOException closed) {
      // the normal end
    }
  }

  private static void awaitRecovery(RedisLimitStore store, int port) {
    RedisServer redis = RedisServer.startOn(RedisVersion.newest(), port);
    try {
      Awaitility.await().until(() -> store.isHealthy() && Load.decides(store));
    } finally {
      redis.close();
    }
  }

  private RedisConnection open(ServerSocket peer, Login login) {
    Host host = new Host("127.0.0.1", peer.getLocalPort());
    return PrimariesUnderTest.connector(timer, login, SOON).open(host);
  }

  private void close(ServerSocket peer) throws IOException {
    peer.close();
    for (Socket client : clients) {
      client.close();
    }
  }

  private static Deadline soon() {
    return Deadline.after(SOON);
  }

  /** Answers every command, always the same. */
  private ServerSocket answering(String reply) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(() -> accept(server, reply));
    return server;
  }

  private void accept(ServerSocket server, String reply) {
    try {
      while (!server.isClosed()) {
        Socket client = server.accept();
        clients.add(client);
        start(() -> answer(client, reply));
      }
    } catch (IOException closed) {
      // the normal end
    }
  }

  private static void answer(Socket client, String reply) {
    try (client) {
      RedisInputStream in = new RedisInputStream(client.getInputStream());
      while (true) {
        boolean isPing =
            Protocol.read(in, PushConsumerChainImpl.of()) instanceof List<?> command
                && command.get(0) instanceof byte[] name
                && SafeEncoder.encode(name).equals("PING");
        String answer = isPing ? "+PONG\r\n" : reply;
        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException | JedisConnectionException closed) {
      // the normal end
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "malformed-peer");
    thread.setDaemon(true);
    thread.start();
  }
}

package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.redis.internal.client.RedisConnection.Login;
import dev.weir.store.Deadline;
import dev.weir.store.LimiterListener;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;

class RedisConnectionTest {

  /** What the timer does as soon as a reply was read. */
  private Runnable afterRead = () -> {};

  @Test
  void a_connection_that_the_timer_closed_after_the_last_reply_has_not_answered_in_time()
      throws IOException {
    Deadline due = Deadline.after(Duration.ofMinutes(1));
    try (RedisServer server = RedisServer.start(RedisVersion.newest());
        SocketTimer timer = new SocketTimer("weir-redis-test-timer", LimiterListener.NONE);
        Socket socket = noticing(server.port())) {
      TimedSocket timed = new TimedSocket(socket, timer);
      assertThat(timed.begin(due)).isTrue();
      RedisConnection connection = new RedisConnection(socket, timed, "");
      connection.logIn(Login.NONE, new Host("127.0.0.1", server.port()), due);
      CommandArguments ping = new CommandArguments(Command.PING);
      assertThat(connection.callAll(List.of(ping), due)).hasSize(1);

      afterRead = () -> timed.check(due.nanoTime());
      assertThatThrownBy(() -> connection.callAll(List.of(ping), due))
          .isInstanceOf(JedisConnectionException.class)
          .hasMessage("no answer by the deadline");
      assertThat(connection.isUsable()).isFalse();
    }
  }

  private Socket noticing(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port) {
      @Override
      public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            afterRead.run();
            return read;
          }
        };
      }
    };
  }
}

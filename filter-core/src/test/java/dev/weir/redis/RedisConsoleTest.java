package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.FreePorts;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** A connection for tools that inspect what stores have in Redis. */
class RedisConsoleTest {

  private static final Charge ONE =
      AcquireRequests.charge("logins", "5 per day", Subject.of("ip", "192.0.2.7"), 1);

  private final RedisServer server = RedisServer.shared(RedisVersion.newest());
  private final String address = "127.0.0.1:" + server.port();
  private final RedisOptions options = RedisOptions.of(server.uri(), "console");

  @Test
  void it_returns_texts_numbers_lists_and_nothing() throws Exception {
    try (RedisConsole console = RedisConsole.connect(options, address)) {
      assertThat(console.address()).isEqualTo(address);
      assertThat(console.call("SET", "console:{a}", "1")).isEqualTo("OK");
      assertThat(console.call("DEL", "console:{a}")).isEqualTo(1L);
      assertThat(console.call("MGET", "console:{a}", "console:{b}")).isInstanceOf(List.class);
      assertThat(console.call("GET", "console:{a}")).isNull();
    }
  }

  @Test
  void what_Redis_refuses_is_thrown_and_the_next_call_works() throws Exception {
    try (RedisConsole console = RedisConsole.connect(options, address)) {
      assertThatThrownBy(() -> console.call("NONSENSE"))
          .isInstanceOf(RedisConsole.Refused.class)
          .hasMessageContaining("unknown command");
      assertThat(console.call("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void a_store_of_single_keys_writes_nothing_before_it_is_called_and_peeks_the_same() {
    try (RedisServer own = RedisServer.start(RedisVersion.newest());
        Jedis redis = own.client();
        RedisLimitStore store =
            RedisLimitStore.connect(
                RedisOptions.of(own.uri(), "console").asObserver().withSingleKeys(),
                LimiterListener.NONE)) {
      assertThat(store.awaitAnswer(Duration.ofSeconds(20))).isTrue();
      Charge other = AcquireRequests.charge("days", "9 per day window UTC", Subject.global(), 1);
      assertThat(AcquireRequests.peek(store, ONE, other).verdicts())
          .extracting(Decision.Verdict::remaining)
          .containsExactly(5L, 9L);
      assertThat(redis.dbSize()).isZero();
      assertThat(AcquireRequests.decide(store, ONE).allowed()).isTrue();
      assertThat(AcquireRequests.peek(store, ONE, other).verdicts())
          .extracting(Decision.Verdict::remaining)
          .containsExactly(4L, 9L);
    }
  }

  @Test
  void without_a_server_it_does_not_connect() {
    int port = FreePorts.next();
    assertThatThrownBy(() -> RedisConsole.connect(options, "127.0.0.1:" + port))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("127.0.0.1:" + port);
  }

  @Test
  void the_key_of_a_counter_is_that_of_a_store() {
    for (RedisOptions one : List.of(options, options.withSecret("0123456789abcdef"))) {
      try (RedisLimitStore store = RedisLimitStore.connect(one.asObserver(), LimiterListener.NONE);
          Jedis redis = server.client()) {
        assertThat(store.awaitAnswer(Duration.ofSeconds(20))).isTrue();
        assertThat(AcquireRequests.decide(store, ONE).allowed()).isTrue();
        assertThat(redis.exists(one.key(ONE.counter()))).isTrue();
      }
    }
  }

  @Test
  void connections_have_their_name_where_the_user_may_give_them_one() throws Exception {
    RedisOptions named = options.withConnectionName("weir-cli");
    try (RedisConsole console = RedisConsole.connect(named, address);
        Jedis redis = server.client()) {
      assertThat(redis.clientList()).contains(" name=weir-cli ");
      redis.aclSetUser("unnamed", "on", ">secret", "~*", "+@all", "-client");
      RedisOptions without = named.withUri("redis://unnamed:secret@" + address);
      try (RedisConsole other = RedisConsole.connect(without, address)) {
        assertThat(other.call("PING")).isEqualTo("PONG");
      }
      assertThat(console.call("ACL", "WHOAMI")).isEqualTo("default");
    }
  }

  @Test
  void another_uri_keeps_all_else() {
    RedisOptions mine = options.withSecret("0123456789abcdef").withDeadline(Duration.ofSeconds(1));
    RedisOptions other = mine.withUri("redis://user:word@cache:6380/2");
    assertThat(other.location()).isEqualTo("redis://cache:6380/2");
    assertThat(other.hasSecret()).isTrue();
    assertThat(other.deadline()).isEqualTo(mine.deadline());
    assertThat(other.key(ONE.counter())).isEqualTo(mine.key(ONE.counter()));
    assertThatThrownBy(() -> options.withConnectionName("a b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("connectionName: 'a b' (expected: ");
  }
}

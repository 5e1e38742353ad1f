package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** {@code CLIENT LIST} names the application of each connection, if Redis permits it. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
class ClientNameTest {

  private static final Pattern NAME = Pattern.compile("(?m)^id=(\\d+).* name=(\\S*)");

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final List<Source> switches = new CopyOnWriteArrayList<>();
  private final LimiterListener listener =
      new LimiterListener() {
        @Override
        public void onStoreSwitched(Source now, String why) {
          switches.add(now);
        }
      };

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisServer server;

  @SuppressWarnings("NullAway.Init")
  private LogCapture log;

  @BeforeEach
  void start() {
    server = RedisServer.start(version);
    log = new LogCapture(RedisLimitStore.class);
  }

  @AfterEach
  void stop() {
    log.close();
    server.close();
  }

  @Test
  void each_connection_that_stays_has_the_name_of_the_application() {
    try (Jedis redis = server.client();
        RedisLimitStore store = connect(server.uri(), "shop")) {
      assertThat(store.awaitAnswer()).isTrue();
      assertThat(Load.decides(store)).isTrue();
      Awaitility.await()
          .untilAsserted(() -> assertThat(names(redis)).isNotEmpty().containsOnly("weir-shop"));
    }
  }

  @Test
  void spaces_which_no_client_name_has_are_replaced() {
    try (Jedis redis = server.client();
        RedisLimitStore store = connect(server.uri(), "my old shop!")) {
      assertThat(store.awaitAnswer()).isTrue();
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(names(redis)).isNotEmpty().containsOnly("weir-my_old_shop!"));
    }
  }

  @Test
  void a_user_without_the_right_decides_as_before() {
    try (Jedis redis = server.client()) {
      redis.sendCommand(Protocol.Command.ACL, withoutName(DocumentedUser.rights("password")));
      String uri = "redis://weir:password@127.0.0.1:" + server.port();
      try (RedisLimitStore store = connect(uri, "shop")) {
        assertDecidesQuietly(store);
        assertThat(names(redis)).isNotEmpty().containsOnly("");
      }
    }
  }

  private static String[] withoutName(String[] rights) {
    return Stream.of(rights)
        .filter(right -> !right.equals("+client|setname"))
        .toArray(String[]::new);
  }

  @Test
  void a_server_without_the_command_decides_as_before() {
    server.close();
    server = RedisServer.start(version, "--rename-command", "CLIENT", "HIDDEN");
    try (RedisLimitStore store = connect(server.uri(), "shop")) {
      assertDecidesQuietly(store);
    }
  }

  @Test
  void a_proxy_that_ends_the_connection_on_it_decides_as_before() {
    AtomicInteger ended = new AtomicInteger();
    Cutter cutter =
        new Cutter("SETNAME") {
          @Override
          synchronized @Nullable Cut cutAt(String request) {
            return request.contains("SETNAME")
                ? new Cut(ended.incrementAndGet(), Cut.Where.BEFORE_REDIS_HAS_IT, Cut.Who.LIVES)
                : null;
          }
        };
    try (CuttingProxy proxy = cutter.before(server.port());
        RedisLimitStore store = connect("redis://127.0.0.1:" + proxy.port(), "shop")) {
      assertDecidesQuietly(store);
      assertThat(ended).hasPositiveValue();
    }
  }

  private void assertDecidesQuietly(RedisLimitStore store) {
    assertThat(store.awaitAnswer()).isTrue();
    assertThat(Load.decides(store)).isTrue();
    assertThat(store.isHealthy()).isTrue();
    assertThat(switches).isEmpty();
    assertThat(log.records()).isEmpty();
  }

  private RedisLimitStore connect(String uri, String application) {
    return RedisLimitStore.connect(RedisOptions.of(uri, application), listener);
  }

  /** Returns the names of all clients but the one that asks. */
  private static List<String> names(Jedis redis) {
    String own = Long.toString(redis.clientId());
    return NAME.matcher(redis.clientList())
        .results()
        .filter(client -> !client.group(1).equals(own))
        .map(client -> client.group(2))
        .toList();
  }
}

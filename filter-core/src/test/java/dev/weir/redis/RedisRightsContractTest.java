package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.SideBySide;
import dev.weir.fixture.TestRun;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStoreContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;

/**
 * The contract of every store, under exactly the user of the page for operators: on every available
 * Redis, and in a full run in a cluster too.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("places")
@SideBySide
class RedisRightsContractTest extends LimitStoreContract {

  private static final String PASSWORD = "contract";
  private static final Map<Place, RedisServers> SERVERS = new ConcurrentHashMap<>();

  /** Where Redis runs. */
  record Place(RedisVersion version, int primaries) {

    @Override
    public String toString() {
      return version + (primaries > 1 ? ", a cluster" : "");
    }
  }

  @Parameter Place place = new Place(RedisVersion.embedded(), 1);

  private final Recorder received = new Recorder();

  static Stream<Place> places() {
    return RedisVersion.tested().stream()
        .flatMap(
            version ->
                IntStream.of(1, 3)
                    .limit(TestRun.pick(1, 2))
                    .mapToObj(primaries -> new Place(version, primaries)));
  }

  @Override
  protected LimitStore open() {
    String uri = servers().uri().replace("://", "://weir:" + PASSWORD + "@");
    RedisLimitStore opened =
        RedisLimitStore.connect(
            RedisOptions.of(uri, "shop").withDeadline(Duration.ofSeconds(5)), received);
    Awaitility.await().until(() -> Load.decides(opened));
    return opened;
  }

  private RedisServers servers() {
    return SERVERS.computeIfAbsent(place, RedisRightsContractTest::start);
  }

  private static RedisServers start(Place place) {
    RedisServers servers =
        place.primaries() > 1
            ? RedisServers.cluster(place.version(), place.primaries())
            : RedisServers.alone(place.version());
    for (RedisServer server : servers.all()) {
      try (Jedis redis = server.client()) {
        redis.sendCommand(Command.ACL, DocumentedUser.rights(PASSWORD));
      }
    }
    return servers;
  }

  /** Scripts are loaded, and connections named, where that is allowed, as the page says. */
  @AfterEach
  void no_right_was_missing_but_those_that_the_page_leaves_open() {
    for (RedisServer server : servers().all()) {
      try (Jedis redis = server.client()) {
        List<String> refused =
            redis.aclLog().stream().map(entry -> String.valueOf(entry.getObject())).toList();
        assertThat(refused).allMatch(command -> command.matches("script.*|client.*"));
      }
    }
    assertThat(received.errors).isEmpty();
  }
}

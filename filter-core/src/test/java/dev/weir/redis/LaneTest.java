package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Deadline;
import dev.weir.LogCapture;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A script that fails for our own reasons is a bug, and no outage. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#all")
class LaneTest {

  private static final Duration AMPLE = Duration.ofSeconds(5);

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final Recorder heard = new Recorder();
  private final Watchdog watchdog = new Watchdog("weir-redis-test-watchdog");

  @SuppressWarnings("NullAway.Init") // opened before each test
  private Lane lane;

  @SuppressWarnings("NullAway.Init") // made before each test
  private Probes probes;

  @BeforeEach
  void open() {
    RedisServer server = RedisServer.shared(version);
    RedisOptions options = RedisOptions.of(server.uri(), "lane").withDeadline(AMPLE);
    probes =
        new Probes(
            new RedisKeys("lane", Optional.empty()),
            new Questions(RedisClock.REDIS, InstantSource.system()));
    LaneParts parts =
        new LaneParts(
            new Connector(options, watchdog), new Reports(heard), AMPLE, probes, RedisTrips.SHARED);
    lane =
        new Lane(
            new Host("127.0.0.1", server.port()),
            parts,
            RedisKeys::slot,
            itself -> probes.anywhere());
  }

  @AfterEach
  void close() throws InterruptedException {
    lane.close();
    watchdog.close();
    lane.join(1_000);
    watchdog.join(1_000);
  }

  @Test
  void a_bug_is_reported_each_time_logged_once_and_opens_no_breaker() throws Exception {
    ScriptCall wrong = new ScriptCall(Script.ONE_BUCKET, List.of("lane:{a}:b"), List.of("", "z"));
    try (LogCapture log = new LogCapture(RedisLimitStore.class)) {
      for (int i = 0; i < 30; i++) {
        assertThatThrownBy(() -> lane.call(wrong, Deadline.after(AMPLE)))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining("user_script");
      }
      assertThat(log.records())
          .singleElement()
          .matches(line -> line.getLevel().equals(Level.SEVERE));
    }
    assertThat(heard.errors).hasSize(30).allMatch(error -> error.contains("script one failed"));
    assertThat(heard.switches).isEmpty();
    assertThat(lane.isHealthy()).isTrue();
    assertThat(lane.call(probes.anywhere(), Deadline.after(AMPLE))).hasSize(Answer.FIELDS);
  }

  @Test
  void nor_is_it_hidden_by_those_who_share_its_trip_and_are_answered() throws Exception {
    ScriptCall wrong = new ScriptCall(Script.ONE_BUCKET, List.of("lane:{a}:b"), List.of("", "z"));
    Deadline due = Deadline.after(AMPLE);
    List<Passenger> aboard =
        List.of(new Passenger(wrong, due), new Passenger(probes.anywhere(), due));
    aboard.forEach(Passenger::board);
    lane.make(aboard, due);
    aboard.forEach(Passenger::bringBack);
    assertThatThrownBy(() -> aboard.get(0).reply()).hasMessageContaining("user_script");
    assertThat(aboard.get(1).reply()).hasSize(Answer.FIELDS);
    assertThat(heard.errors).singleElement().asString().contains("script one failed");
    assertThat(lane.isHealthy()).isTrue();
  }

  @Test
  void what_probes_write_always_writes() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(lane.call(probes.anywhere(), Deadline.after(AMPLE))).startsWith(Answer.FITS);
    }
  }
}

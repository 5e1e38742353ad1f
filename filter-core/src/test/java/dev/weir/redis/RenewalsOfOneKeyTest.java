package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.ManualTime;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;

/** Permits of one counter are renewed together, also those that were granted with another ttl. */
class RenewalsOfOneKeyTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Subject ALICE = Subject.of("user", "alice");

  private final ManualTime time = new ManualTime();
  private final Commands commands = Commands.byNodeTime(time::instant);
  private final RedisKeys keys = new RedisKeys(UUID.randomUUID().toString(), Optional.empty());

  @Test
  void the_key_lives_as_long_as_the_longest_of_them() {
    Grant before = commands.requested(held("4 concurrent, ttl 60s"));
    Grant after = commands.requested(held("4 concurrent, ttl 10s"));
    try (Jedis redis = RedisServer.shared(RedisVersion.newest()).client()) {
      run(redis, commands.decide(group(before)));
      time.advance(Duration.ofSeconds(20));
      run(redis, commands.decide(group(after)));
      assertThat(run(redis, commands.renew(group(before, after)))).containsExactly(1L, 1L);
      assertThat(redis.pttl(keys.key(before.charge().counter()))).isGreaterThan(LONG.toMillis());
    }
  }

  private static Charge held(String limit) {
    return charge("held", limit, ALICE, 1);
  }

  private Group group(Grant... grants) {
    return Group.of(List.of(grants), keys, key -> 0).get(0);
  }

  private static List<Long> run(Jedis redis, ScriptCall call) {
    Connection connection = redis.getConnection();
    connection.sendCommand(call.inFull());
    return call.read(connection.getOne());
  }
}

package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.client.Sharding.Scope;
import dev.weir.redis.internal.client.Sharding.Trial;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisDataException;

/** What the replies to a trial show: of each pair, a key with the same tag and one with another. */
class ShardingTest {

  private static final long MISSING = 0;
  private static final long PRESENT = 1;

  @Test
  void a_key_that_only_the_first_key_of_its_call_finds_is_apart() {
    assertThat(scope(List.of(PRESENT, MISSING), List.of(PRESENT, PRESENT)))
        .isEqualTo(Scope.ONE_TAG);
    assertThat(scope(List.of(MISSING, MISSING), List.of(PRESENT, PRESENT)))
        .isEqualTo(Scope.ONE_KEY);
    assertThat(scope(List.of(MISSING, PRESENT), List.of(PRESENT, PRESENT)))
        .isEqualTo(Scope.ONE_KEY);
  }

  @Test
  void one_pair_that_is_apart_shows_it() {
    assertThat(
            scope(
                List.of(PRESENT, PRESENT, PRESENT, MISSING),
                List.of(PRESENT, PRESENT, PRESENT, PRESENT)))
        .isEqualTo(Scope.ONE_TAG);
  }

  @Test
  void a_key_that_was_lost_is_not() {
    assertThat(scope(List.of(MISSING, MISSING), List.of(MISSING, MISSING)))
        .isEqualTo(Scope.ALL_KEYS);
    assertThat(scope(List.of(PRESENT, PRESENT), List.of(MISSING, MISSING)))
        .isEqualTo(Scope.ALL_KEYS);
  }

  @Test
  void a_call_that_was_refused_shows_nothing() {
    JedisDataException refused = new JedisDataException("OOM");
    assertThat(scope(List.of(refused, MISSING), List.of(PRESENT, refused)))
        .isEqualTo(Scope.ALL_KEYS);
  }

  private static Scope scope(List<Object> alone, List<Object> byFirst) {
    return Trial.scope(alone, byFirst);
  }
}

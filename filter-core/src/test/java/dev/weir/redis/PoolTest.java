package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisException;

/** How long whoever takes a connection waits when none comes. */
class PoolTest {

  private final Pool pool =
      new Pool(
          () -> {
            throw new AssertionError("nothing is opened here");
          },
          opening -> {});

  @Test
  void without_hope_nobody_waits_longer_than_half_of_the_time() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(2));
    assertThatThrownBy(() -> pool.take(deadline, () -> true)).isInstanceOf(Pool.NoHope.class);
    assertThat(deadline.hasPassed()).isFalse();
  }

  @Test
  void with_hope_the_whole_deadline_is_waited_for() {
    Deadline deadline = Deadline.after(Duration.ofMillis(50));
    assertThatThrownBy(() -> pool.take(deadline, () -> false))
        .isInstanceOf(JedisException.class)
        .isNotInstanceOf(Pool.NoHope.class);
    assertThat(deadline.hasPassed()).isTrue();
  }
}

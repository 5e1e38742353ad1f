package dev.weir.demo.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.demo.server.EmbeddedRedis.State;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis that can be broken and mended. */
class EmbeddedRedisTest {

  private EmbeddedRedis redis;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    redis = new EmbeddedRedis(RedisBinary.find(directory), directory);
    redis.start();
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void it_runs_until_it_is_closed() {
    assertThat(redis.state()).isEqualTo(State.RUNNING);
    redis.close();
    assertThat(redis.state()).isEqualTo(State.STOPPED);
  }

  @Test
  void it_keeps_its_address_over_kill_and_start() throws Exception {
    String uri = redis.uri();
    redis.kill();
    assertThat(redis.state()).isEqualTo(State.STOPPED);
    redis.start();
    assertThat(redis.state()).isEqualTo(State.RUNNING);
    assertThat(redis.uri()).isEqualTo(uri);
  }

  @Test
  void it_freezes_and_resumes() throws Exception {
    redis.freeze();
    assertThat(redis.state()).isEqualTo(State.FROZEN);
    redis.resume();
    assertThat(redis.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void a_frozen_one_can_be_killed() throws Exception {
    redis.freeze();
    redis.kill();
    redis.start();
    assertThat(redis.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void what_has_stopped_cannot_be_frozen() {
    redis.kill();
    assertThatIllegalStateException().isThrownBy(redis::freeze).withMessageContaining("running");
  }
}

package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.internal.client.Host;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.exceptions.JedisException;

/** What a node says of its cluster is read, or refused as a whole. */
class ClusterViewTest {

  private static final Host ASKED = new Host("10.0.0.1", 7000);

  private static Object run(long first, long last, String name) {
    return List.of(first, last, List.of(name.getBytes(StandardCharsets.US_ASCII), 7001L));
  }

  @Test
  void runs_of_slots_have_a_primary() {
    ClusterView view = ClusterView.of(List.of(run(0, 99, "10.0.0.2"), run(100, 16383, "?")), ASKED);
    assertThat(view.runs())
        .containsExactly(
            new ClusterView.Run(0, 99, new Host("10.0.0.2", 7001)),
            new ClusterView.Run(100, 16383, new Host("10.0.0.1", 7001)));
  }

  @ParameterizedTest
  @CsvSource({"-1,5", "0,16384", "7,6", "4294967296,4294967297"})
  void slots_that_no_cluster_has_are_refused(long first, long last) {
    assertThatThrownBy(() -> ClusterView.of(List.of(run(first, last, "10.0.0.2")), ASKED))
        .isInstanceOf(JedisException.class)
        .hasMessageContaining("cannot be read");
  }
}

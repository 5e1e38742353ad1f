package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.ClusterView.Run;
import dev.weir.redis.internal.client.Host;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.exceptions.JedisException;

/** A node's view of its cluster is read, or refused as a whole; of several, the newest counts. */
class ClusterViewTest {

  private static final Host REQUESTED = new Host("10.0.0.1", 7000);
  private static final Host A = new Host("10.0.0.1", 7001);
  private static final Host B = new Host("10.0.0.2", 7001);

  private static Object run(long first, long last, String name) {
    return List.of(first, last, List.of(bytes(name), 7001L, bytes("id-" + name)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ClusterView view(@Nullable Object nodes, Object... runs) {
    return ClusterView.of(List.of(runs), nodes, REQUESTED);
  }

  private static byte[] nodes(String... lines) {
    return bytes(String.join("\n", lines) + "\n");
  }

  private static ClusterView reaching(int reached, Run... runs) {
    return new ClusterView(List.of(runs), 3, reached);
  }

  @Test
  void runs_of_slots_have_a_primary() {
    assertThat(view(null, run(0, 99, "10.0.0.2"), run(100, 16383, "?")).runs())
        .containsExactly(new Run(0, 99, B, 0), new Run(100, 16383, A, 0));
  }

  @ParameterizedTest
  @CsvSource({"-1,5", "0,16384", "7,6", "4294967296,4294967297"})
  void slots_that_no_cluster_has_are_refused(long first, long last) {
    assertThatThrownBy(() -> view(null, run(first, last, "10.0.0.2")))
        .isInstanceOf(JedisException.class)
        .hasMessageContaining("CLUSTER SLOTS of 10.0.0.1:7000 cannot be read");
  }

  @Test
  void each_primary_has_the_epoch_of_its_node() {
    byte[] nodes =
        nodes(
            "id-10.0.0.1 10.0.0.1:7001@17001 myself,master - 0 1 5 connected 0-99",
            "id-10.0.0.2 10.0.0.2:7001@17001,name master - 0 1 7 connected 100-16383",
            "id-10.0.0.3 10.0.0.3:7001@17001 slave id-10.0.0.1 0 1 5 connected");
    ClusterView view = view(nodes, run(0, 99, "10.0.0.1"), run(100, 16383, "10.0.0.2"));
    assertThat(view.runs()).extracting(Run::epoch).containsExactly(5L, 7L);
    assertThat(view.primaries()).isEqualTo(2);
    assertThat(view.reached()).isEqualTo(2);
  }

  @Test
  void a_primary_that_fails_or_is_not_connected_is_not_reached() {
    byte[] nodes =
        nodes(
            "id-10.0.0.1 10.0.0.1:7001@17001 myself,master - 0 1 5 connected 0-9",
            "id-10.0.0.2 10.0.0.2:7001@17001 master,fail? - 0 1 7 connected 10-19",
            "id-10.0.0.3 10.0.0.3:7001@17001 master,fail - 0 1 8 connected 20-29",
            "id-10.0.0.4 10.0.0.4:7001@17001 master - 0 1 9 disconnected 30-39",
            "id-10.0.0.5 10.0.0.5:7001@17001 master - 0 1 9 connected",
            "id-10.0.0.6 10.0.0.6:7001@17001 master - 0 1 9 connected [40-<-id-10.0.0.1]");
    ClusterView view = view(nodes, run(0, 9, "10.0.0.1"));
    assertThat(view.primaries()).as("with slots").isEqualTo(4);
    assertThat(view.reached()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"new", "18446744073709551616"})
  void an_epoch_that_is_no_number_is_refused(String epoch) {
    byte[] nodes =
        nodes("id-10.0.0.1 10.0.0.1:7001@17001 myself,master - 0 1 " + epoch + " connected 0-9");
    assertThatThrownBy(() -> view(nodes, run(0, 9, "10.0.0.1")))
        .isInstanceOf(JedisException.class)
        .hasMessageContaining("CLUSTER NODES of 10.0.0.1:7000 cannot be read");
  }

  @Test
  void of_two_that_claim_a_slot_the_one_with_the_higher_epoch_has_it() {
    ClusterView older = reaching(3, new Run(0, 2, A, 4));
    ClusterView newer = reaching(3, new Run(2, 3, B, 5));
    for (List<ClusterView> views : List.of(List.of(older, newer), List.of(newer, older))) {
      assertThat(ClusterView.owners(views).subList(0, 5)).containsExactly(A, A, B, B, null);
    }
  }

  @Test
  void a_node_that_does_not_reach_most_of_the_others_is_not_believed() {
    ClusterView alone = reaching(1, new Run(0, 1, A, 9));
    ClusterView others = reaching(2, new Run(0, 1, B, 5));
    assertThat(ClusterView.owners(List.of(alone, others)).get(0)).isEqualTo(B);
  }

  @Test
  void a_node_that_knows_no_other_is_not_believed_where_others_are_known() {
    ClusterView alone = new ClusterView(List.of(new Run(0, 1, A, 9)), 1, 1);
    ClusterView others = reaching(3, new Run(0, 1, B, 5));
    assertThat(ClusterView.owners(List.of(alone, others)).get(0)).isEqualTo(B);
  }

  @Test
  void where_no_node_reaches_most_of_the_others_what_they_say_is_better_than_nothing() {
    ClusterView alone = reaching(1, new Run(0, 1, A, 1));
    assertThat(ClusterView.owners(List.of(alone)).get(0)).isEqualTo(A);
  }

  @Test
  void a_node_confirms_what_is_known_where_it_reaches_most_of_the_others() {
    List<@Nullable Host> known = ClusterView.owners(List.of(reaching(3, new Run(0, 9, A, 4))));
    assertThat(reaching(2, new Run(0, 4, A, 4), new Run(5, 9, A, 4)).confirms(known)).isTrue();
    assertThat(reaching(1, new Run(0, 9, A, 4)).confirms(known)).isFalse();
    assertThat(reaching(3, new Run(0, 8, A, 4), new Run(9, 9, B, 5)).confirms(known)).isFalse();
    assertThat(reaching(3, new Run(0, 8, A, 4)).confirms(known)).isFalse();
    assertThat(reaching(3, new Run(0, 9, A, 4)).confirms(List.of())).isFalse();
  }
}

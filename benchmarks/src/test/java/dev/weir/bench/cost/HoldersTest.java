package dev.weir.bench.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HoldersTest {

  private static final int PERMITS = 4;

  private static Call call(String verb, int holder) {
    return new Call(List.of("sha", "1", "key", verb, String.valueOf(holder)));
  }

  private static List<Call> calls(String verb) {
    return IntStream.range(0, PERMITS).mapToObj(holder -> call(verb, holder)).toList();
  }

  /** Only a holder can be renewed or released, and only one that holds nothing is granted. */
  @Test
  void each_is_granted_renewed_and_released_in_turn_and_the_oldest_first() {
    HolderCalls calls =
        new HolderCalls(calls("grant"), call("denial", 0), calls("renewal"), calls("release"));
    Deque<Integer> held = new ArrayDeque<>(List.of(0, 1, 2));
    Holders holders = new Holders(calls, 3, held);

    for (int cycle = 0; cycle < 20; cycle++) {
      int granted = holder(holders.grant());
      assertThat(held).hasSize(PERMITS).endsWith(granted);
      int oldest = held.getFirst();
      assertThat(holder(holders.renewal())).isEqualTo(oldest);
      int next = held.getFirst();
      assertThat(holder(holders.release())).isEqualTo(next).isNotEqualTo(oldest);
      assertThat(held).hasSize(PERMITS - 1).doesNotContain(next);
    }
  }

  @Test
  void the_first_copy_of_a_key_is_the_key() {
    assertThat(Stream.of(0, 1).map(copy -> Holders.ofCopy(copy, call("grant", 0)).keys()))
        .containsExactly(List.of("key"), List.of("key-copy-1"));
  }

  private static int holder(Call call) {
    return Integer.parseInt(call.arguments().get(4));
  }
}

package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

  @Test
  void all_take_turns_and_each_round_begins_with_another() throws Exception {
    List<String> order = new ArrayList<>();
    Map<String, Rounds.Measured<Integer>> all = new LinkedHashMap<>();
    for (String name : List.of("a", "b", "c")) {
      all.put(
          name,
          () -> {
            order.add(name);
            return order.size();
          });
    }

    Results<Integer> found = Rounds.interleaved(3, all);

    assertThat(order).containsExactly("a", "b", "c", "b", "c", "a", "c", "a", "b");
    assertThat(found.names()).containsExactly("a", "b", "c");
    assertThat(found.all()).containsEntry("a", List.of(1, 6, 8));
    assertThat(found.median("a", Integer::doubleValue)).isEqualTo(6);
  }

  @Test
  void a_row_is_of_two_medians() throws Exception {
    Results<Double> found =
        new Results<>(Map.of("weir", List.of(1.0, 6.0, 50.0), "peer", List.of(2.0, 3.0, 4.0)));

    Row row = found.row("metric", "weir", "peer", Double::doubleValue);

    assertThat(row).isEqualTo(new Row("metric", 6, 3, "peer"));
    assertThat(row.ratio()).isEqualTo(2);
  }
}

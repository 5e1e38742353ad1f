package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Leases where a clock moves back, step by step. */
class LuaLeaseTraceTest extends OnEveryRedis {

  private static final long CELL = 5_000_000_000L;

  /**
   * Of 500 permits 60 are out to a node that does not know of the step. Another node might settle a
   * lease of the same end to it.
   */
  @Test
  void no_two_leases_have_one_name_where_the_clock_has_moved_back_by_a_cell() {
    List<String> lines =
        run(
            "l b 1 10 1 500",
            "c 0 A 0",
            "e " + (CELL + 100) + " 1 A 60",
            "a A",
            "u 1 A 60",
            "d " + (CELL - 10_190) + " 1 1 0",
            "c 10250 B 0",
            "e " + (CELL + 50) + " 1 B 60",
            "a B",
            "c 13950 A 0",
            "e " + (CELL + 3_800) + " 1 A 0",
            "d " + (CELL + 10_700) + " 1 500 0",
            "u 20860 B 60");
    long admitted = 60 + (lines.get(10).startsWith("1 ") ? 500 : 0) + spent(lines.get(11));
    assertThat(admitted).as("%s", lines).isLessThanOrEqualTo(500);
  }

  private static long spent(String line) {
    return Long.parseLong(line.substring(0, line.indexOf(' ')));
  }

  private List<String> run(String... steps) {
    List<String> arguments = List.of(String.join(" ", steps).split(" "));
    return List.of(((String) redis.eval(LuaTrace.SCRIPT.text(), List.of(), arguments)).split("\n"));
  }
}

package dev.weir.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The invariant of the division, for limits that take and return room in any order. */
class LimitQuotasTest {

  @ParameterizedTest
  @CsvSource({"1000, 0, 7", "1000, 7, 7", "1000, 3, 7", "1000, 20, 7", "5, 0, 7", "5, 7, 7"})
  void whoever_holds_less_than_its_part_gets_room_and_all_together_stay_bounded(
      int capacity, int announced, int limits) {
    Random random = new Random(capacity + announced);
    Shard quotas = new Shard(() -> capacity, () -> announced, part -> part);
    Map<String, Integer> held = new HashMap<>();
    int part = Math.max(1, capacity / Math.max(announced, limits));
    for (int i = 0; i < 200_000; i++) {
      // one limit after another is flooded, while the others come and go
      int flooded = i / 10_000 % limits;
      String limit = "limit " + (random.nextBoolean() ? flooded : random.nextInt(limits));
      int holds = held.getOrDefault(limit, 0);
      if (random.nextInt(5) == 0 && holds > 0) {
        quotas.takeBack(limit);
        held.put(limit, holds - 1);
      } else if (quotas.hasRoom(limit, 1)) {
        quotas.give(limit);
        held.put(limit, holds + 1);
      } else {
        assertThat(holds).as("%s is refused room", limit).isGreaterThanOrEqualTo(part);
      }
      long total = held.values().stream().mapToLong(Integer::longValue).sum();
      assertThat(total).isLessThanOrEqualTo(most(capacity, announced, limits));
    }
  }

  /** Even parts where all are announced; otherwise the first may have all, the second half ... */
  private static long most(int capacity, int announced, int limits) {
    long most = 0;
    for (int j = 1; j <= limits; j++) {
      most += Math.max(1, capacity / Math.max(announced, j));
    }
    return most;
  }

  @Test
  void limits_that_nobody_announced_still_get_their_parts() {
    Shard quotas = new Shard(() -> 100, () -> 0, part -> part);
    List<Integer> parts = new ArrayList<>();
    for (String limit : List.of("a", "b", "c", "d")) {
      parts.add(fill(quotas, limit));
    }
    assertThat(parts).containsExactly(100, 50, 33, 25);
  }

  @Test
  void limits_that_are_announced_late_get_their_parts_beside_what_others_hold() {
    AtomicInteger announced = new AtomicInteger(1);
    Shard quotas = new Shard(() -> 100, announced::get, part -> part);
    assertThat(fill(quotas, "a")).isEqualTo(100);
    announced.set(4);
    for (String limit : List.of("b", "c", "d")) {
      assertThat(fill(quotas, limit)).isEqualTo(25);
    }
  }

  @Test
  void a_limit_that_has_given_everything_back_is_no_longer_one() {
    Shard quotas = new Shard(() -> 100, () -> 0, part -> part);
    quotas.give("a");
    quotas.give("b");
    assertThat(quotas.hasRoom("c", 34)).isFalse();
    quotas.takeBack("a");
    assertThat(quotas.hasRoom("c", 50)).isTrue();
  }

  @Test
  void there_is_room_for_one_of_each_however_many_there_are() {
    Shard quotas = new Shard(() -> 2, () -> 0, part -> part);
    for (int i = 0; i < 100; i++) {
      assertThat(fill(quotas, "limit " + i)).isGreaterThanOrEqualTo(1);
    }
  }

  private static int fill(Shard quotas, String limit) {
    int given = 0;
    while (quotas.hasRoom(limit, 1)) {
      quotas.give(limit);
      given++;
    }
    return given;
  }
}

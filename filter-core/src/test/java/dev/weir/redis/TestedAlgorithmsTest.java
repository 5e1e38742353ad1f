package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Algorithm;
import dev.weir.redis.internal.script.Commands;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No algorithm is missing where the arithmetic of all of them is tested. */
class TestedAlgorithmsTest {

  private static final Set<Algorithm> ALL = EnumSet.allOf(Algorithm.class);

  @Test
  void each_has_traces() {
    assertThat(algorithms(AllTraces.all())).isEqualTo(ALL);
  }

  @Test
  void each_that_consumes_permits_is_among_those() {
    Set<Algorithm> consuming =
        ALL.stream().filter(algorithm -> !algorithm.isHeld()).collect(Collectors.toSet());
    assertThat(algorithms(AllTraces.passing())).isEqualTo(consuming);
  }

  @Test
  void each_that_can_be_leased_has_traces_of_leases() {
    Set<Algorithm> leasable =
        ALL.stream().filter(Algorithm::isLeasable).collect(Collectors.toSet());
    assertThat(algorithms(AllTraces.lending())).isEqualTo(leasable);
  }

  @Test
  void each_has_planted_defects_in_Lua() {
    assertThat(algorithms(LuaMutantsTest.mutants().map(mutant -> (Traces<?>) mutant.get()[0])))
        .isEqualTo(ALL);
  }

  @Test
  void each_has_planted_defects_in_process() {
    Set<String> files = LocalMutantsTest.mutants().map(Mutant::file).collect(Collectors.toSet());
    assertThat(files).containsAll(ALL.stream().map(TestedAlgorithmsTest::state).toList());
  }

  /** Returns the file of its state in process. */
  private static String state(Algorithm algorithm) {
    return Arrays.stream(algorithm.name().split("_", -1))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("", "local/", "State"));
  }

  @Test
  void each_is_in_batches() {
    assertThat(algorithms(MergedDecisionsTest.LIMITS)).isEqualTo(ALL);
  }

  /** Another one would read the numbers of this one, or take its keys. */
  @Test
  void none_has_the_letter_of_another() {
    Commands commands = Commands.byServerTime(Instant::now);
    Map<String, Algorithm> byLetter = new HashMap<>();
    for (Limit limit : limits(AllTraces.all())) {
      String letter = commands.encode(limit, 1).letter();
      Algorithm first = byLetter.computeIfAbsent(letter, it -> limit.algorithm());
      assertThat(first).as(letter).isEqualTo(limit.algorithm());
    }
  }

  private static Set<Algorithm> algorithms(Stream<Traces<?>> traces) {
    return algorithms(limits(traces));
  }

  private static Set<Algorithm> algorithms(List<Limit> limits) {
    return limits.stream().map(Limit::algorithm).collect(Collectors.toSet());
  }

  private static List<Limit> limits(Stream<Traces<?>> traces) {
    return traces.flatMap(of -> of.lines().stream()).flatMap(List::stream).toList();
  }
}

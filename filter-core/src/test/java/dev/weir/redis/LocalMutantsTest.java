package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.fixture.SideBySide;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The traces of a build find a planted defect in the arithmetic in process: each of those listed,
 * alone, and most of them off by one.
 */
@Full
@SideBySide
class LocalMutantsTest {

  private static final List<Mutant> ALL = MutantList.read("local-mutants.txt");

  /** The number of the store's traces, one for each seed from 0 on. */
  private static final int TRACES = 3_000;

  /** The number of seeds of a model's test, from 0 on: each has hundreds of traces. */
  private static final int MODEL_SEEDS = 5;

  private static long highestSeed;

  static Stream<Mutant> mutants() {
    return ALL.stream();
  }

  /** Returns one for each file and kind of traces. */
  static Collection<Mutant> controls() {
    return ALL.stream()
        .collect(
            Collectors.toMap(
                mutant -> mutant.file() + " by " + mutant.foundBy(),
                mutant -> mutant,
                (one, other) -> one))
        .values();
  }

  @AfterAll
  @SuppressWarnings("SystemOut") // the build says what it tried
  static void tell() {
    System.out.printf(
        "%d defects in process, found by traces of seeds 0 to %d%n", ALL.size(), highestSeed);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void a_planted_defect_is_found(Mutant mutant) throws Exception {
    long seeds = isModelTest(mutant.foundBy()) ? MODEL_SEEDS : TRACES;
    OptionalLong found = firstDivergence(mutant.load(), mutant.foundBy(), seeds);
    assertThat(found)
        .as("%s: found by a seed below %d of %s", mutant, seeds, mutant.foundBy())
        .isPresent();
    highestSeed = Math.max(highestSeed, found.orElse(0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("controls")
  void without_a_defect_there_is_nothing_to_find(Mutant mutant) throws Exception {
    assertThat(firstDivergence(mutant.loadOriginal(), mutant.foundBy(), 1)).isEmpty();
  }

  private static OptionalLong firstDivergence(ClassLoader ours, String foundBy, long seeds)
      throws ReflectiveOperationException {
    LongConsumer traces =
        isModelTest(foundBy) ? modelTest(ours, foundBy) : storeTraces(ours, foundBy);
    return LongStream.range(0, seeds).filter(seed -> diverges(traces, seed)).findFirst();
  }

  private static boolean isModelTest(String foundBy) {
    return foundBy.endsWith("Test");
  }

  /** Returns whether an answer is not the model's, or is missing. */
  private static boolean diverges(LongConsumer traces, long seed) {
    try {
      traces.accept(seed);
      return false;
    } catch (AssertionError | RuntimeException found) {
      return true;
    }
  }

  private static LongConsumer storeTraces(ClassLoader ours, String kind)
      throws ReflectiveOperationException {
    Method named =
        ours.loadClass(LocalTraces.class.getName()).getDeclaredMethod("named", String.class);
    named.setAccessible(true);
    return (LongConsumer) named.invoke(null, kind);
  }

  private static LongConsumer modelTest(ClassLoader ours, String name)
      throws ReflectiveOperationException {
    Class<?> type = ours.loadClass("dev.weir.local." + name);
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object test = constructor.newInstance();
    Method method = type.getDeclaredMethod("every_answer_is_the_models", long.class);
    method.setAccessible(true);
    return seed -> run(method, test, seed);
  }

  private static void run(Method method, Object test, long seed) {
    try {
      method.invoke(test, seed);
    } catch (InvocationTargetException e) {
      throw new AssertionError(e.getCause());
    } catch (IllegalAccessException e) {
      throw new LinkageError("accessible: " + method, e);
    }
  }
}

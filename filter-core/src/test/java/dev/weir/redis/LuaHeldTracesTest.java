package dev.weir.redis;

import dev.weir.fixture.SideBySide;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The {@link LuaTraceSuite} of held permits, and of permits lent to nodes. */
@SideBySide
class LuaHeldTracesTest {

  static Stream<Traces<?>> all() {
    return Stream.concat(Stream.of(AllTraces.CONCURRENCY), AllTraces.lending());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void every_promise_holds_and_every_answer_is_the_models(Traces<?> traces) throws Exception {
    LuaTraceSuite.run(traces);
  }
}

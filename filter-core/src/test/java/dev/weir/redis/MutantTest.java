package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who renames something in the sources sees at once which planted defects to rename with it. */
class MutantTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.weir.redis.LocalMutantsTest#mutants")
  void the_text_of_each_planted_defect_stands_once_in_its_file(Mutant mutant) throws IOException {
    assertThat(mutant.text()).contains(mutant.planted());
  }
}

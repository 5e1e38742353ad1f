package dev.weir.bench.peer;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.store.Source;
import org.junit.jupiter.api.Test;

class OursTest {

  @Test
  void one_decision_of_another_than_is_usual_fails_it_until_it_is_forgotten() {
    try (Ours ours = new Ours(Stores.local(), 1, Numbers.ROOMY, Source.REDIS)) {
      ours.admits(0);
      assertThatIllegalStateException()
          .isThrownBy(ours::requireNoStrays)
          .withMessage("weir: 1 decisions of others than [REDIS] (expected: 0)");

      ours.forgetStrays();
      assertThatCode(ours::requireNoStrays).doesNotThrowAnyException();
    }
  }
}

package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.bench.Spent;
import dev.weir.bench.load.Load.Outcome;
import org.junit.jupiter.api.Test;

class UsageTest {

  private static Usage denied(long denials) {
    return new Usage(new Outcome(10, denials, 0, 1), new Spent(0, 0), 0);
  }

  @Test
  void one_denial_fails_what_is_to_be_admitted() {
    assertThat(denied(0).requireAdmitted("weir")).isEqualTo(denied(0));
    assertThatIllegalStateException()
        .isThrownBy(() -> denied(1).requireAdmitted("weir"))
        .withMessage("weir: 1 denials (expected: 0)");
  }
}

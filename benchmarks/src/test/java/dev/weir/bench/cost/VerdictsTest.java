package dev.weir.bench.cost;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictsTest {

  private static Verdicts of(int grants, int denials) {
    Verdicts verdicts = new Verdicts();
    verdicts.add(Collections.nCopies(grants, List.of(1L, 5L, 0L, 9L)));
    verdicts.add(Collections.nCopies(denials, List.of(0L, 0L, 9L, 9L)));
    return verdicts;
  }

  @Test
  void one_denial_fails_what_is_to_be_granted() {
    assertThatCode(() -> of(1_000, 0).requireGrants()).doesNotThrowAnyException();
    assertThatIllegalStateException()
        .isThrownBy(() -> of(1_000, 1).requireGrants())
        .withMessage("naive-lua: 1000 grants, 1 denials (expected: grants alone)");
    assertThatIllegalStateException().isThrownBy(() -> of(0, 0).requireGrants());
  }

  @Test
  void a_full_window_may_grant_one_of_a_hundred() {
    assertThatCode(() -> of(10, 1_000).requireDenials()).doesNotThrowAnyException();
    assertThatIllegalStateException()
        .isThrownBy(() -> of(11, 1_000).requireDenials())
        .withMessage("naive-lua: 11 grants, 1000 denials (expected: nearly all denials)");
    assertThatIllegalStateException().isThrownBy(() -> of(0, 0).requireDenials());
  }
}

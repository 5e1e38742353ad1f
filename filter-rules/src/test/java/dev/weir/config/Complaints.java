package dev.weir.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.config.ConfigurationException.Problem;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a configuration that cannot be used complains of. */
public final class Complaints {

  private Complaints() {}

  static List<Problem> of(ThrowingCallable open) {
    ConfigurationException refused = catchThrowableOfType(ConfigurationException.class, open);
    return refused == null ? List.of() : refused.problems();
  }

  /** The problem, of which there must be exactly one. */
  public static Problem only(ThrowingCallable open) {
    List<Problem> problems = of(open);
    if (problems.size() != 1) {
      throw new AssertionError("one problem expected, but found " + problems);
    }
    return problems.get(0);
  }
}

package dev.weir.config;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration cannot be used. It carries all that is wrong with it, so that one look at the log
 * of a failed start is enough; the message has one line for each problem.
 */
public final class ConfigurationException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  ConfigurationException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** At least one, in the order in which they were found. */
  public List<Problem> problems() {
    return problems;
  }
}

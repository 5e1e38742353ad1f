package dev.weir.config;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown when a configuration cannot be used. It carries every problem, so that one failed start
 * reports them all. The message has one line for each problem.
 */
public final class ConfigurationException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public ConfigurationException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems in the order in which they were found, at least one. */
  public List<Problem> problems() {
    return problems;
  }
}

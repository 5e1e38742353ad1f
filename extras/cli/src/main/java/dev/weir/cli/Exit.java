package dev.weir.cli;

/** The codes with which a command ends. */
final class Exit {

  /** All is well. */
  static final int FINE = 0;

  /** There is a finding: a problem, a warning with {@code --strict}, or a denial. */
  static final int FINDING = 1;

  /** The command line is wrong, or a change was not confirmed. */
  static final int USAGE = 2;

  /** Redis was not reached, or has not answered in time. */
  static final int NOT_REACHED = 3;

  private Exit() {}
}

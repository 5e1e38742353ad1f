package dev.weir;

/** How thorough this run of the tests is: quick, or full with {@code mvn -Pfull verify}. */
public final class TestRun {

  private static final boolean IS_FULL = Boolean.getBoolean("weir.full");

  private TestRun() {}

  public static boolean isFull() {
    return IS_FULL;
  }

  /**
   * Returns the first number in a quick run and the second in a full one: how many cases to
   * generate, for instance, or for how many seconds to run.
   */
  public static int pick(int quick, int full) {
    return IS_FULL ? full : quick;
  }
}

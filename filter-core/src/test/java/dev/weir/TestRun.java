package dev.weir;

/** How thorough this run of the tests is: quick, or full with {@code mvn -Pfull verify}. */
public final class TestRun {

  private static final boolean IS_FULL = Boolean.getBoolean("weir.full");

  private TestRun() {}

  public static boolean isFull() {
    return IS_FULL;
  }

  /** Returns how many generated cases to try: the first number in a quick run, else the second. */
  public static int cases(int quick, int full) {
    return IS_FULL ? full : quick;
  }
}

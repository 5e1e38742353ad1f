package dev.weir.redis;

/**
 * The time that has passed for a counter, whatever its clock did. The clock's highest time counts,
 * until it has jumped back so far that a limit believes it.
 */
final class Passing {

  private long highest = Long.MIN_VALUE;
  private long passed;

  /**
   * Returns what has passed since the last call.
   *
   * @param jump by how much the clock may step back before it has jumped; 0 or more
   */
  long at(long now, long jump) {
    if (highest == Long.MIN_VALUE || highest - now > jump) {
      highest = now;
      return 0;
    }
    long more = Math.max(0, now - highest);
    highest += more;
    passed += more;
    return more;
  }

  long highest() {
    return highest;
  }

  /** Returns the time since the first. */
  long passed() {
    return passed;
  }
}
